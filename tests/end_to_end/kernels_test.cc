// Hand-written kernels through the real programs: submitted, tuned, verified, fetched, whatever some of their
// configurations do.
#include <gmock/gmock.h>

#include <map>
#include <set>

#include "tests/end_to_end/installation.h"

namespace tune {
namespace {

using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// The product of matmul.c, and what FAULT makes of it.
constexpr char kFaulty[] = R"(#include <stdlib.h>
#include "parts/matmul.c"

void product(int n, const double *A, const double *B, const double *T, double *C) {
#if FAULT == 3
#error this value cannot be built
#endif
  matmul(n, A, B, T, C);
#if FAULT == 1
  C[5] += 1;
#elif FAULT == 2
  abort();
#elif FAULT == 4
  for (volatile int again = 1; again;) {
  }
#elif FAULT == 5
  C[n * n] = 1;
#endif
}
)";

constexpr char kDefinition[] = R"(
file product.c
flags -O2
problem n=64
parameter TILE_I=8
parameter TILE_J=32
parameter UNROLL=1,4
parameter TRANSPOSED=False,True
parameter FAULT=0,1,2,3,4,5
constraint FAULT == 0 or UNROLL == 1
constraint TRANSPOSED or FAULT < 3
default UNROLL=1,TRANSPOSED=False,FAULT=0
argument n:int:n
argument A:double[n * n]:in:random
argument B:double[n * n]:in:random
argument T:double[n * n]:inout
argument C:double[n * n]:out
kernel product
takes n,A,B,T,C
kernel transpose
takes n,B,T
launch transpose times TRANSPOSED
launch product
check T:none
)";

std::string Example(const std::string& name) {
  return ReadFile(TUNE_SOURCE_DIR "/client/examples/kernels/" + name).value_or("");
}

// A definition in the installation's folder; its path.
std::string WriteFaulty(const Installation& installation) {
  EXPECT_TRUE(MakeFolder(installation.path("parts")).ok());
  installation.Write("parts/matmul.c", Example("matmul.c"));
  installation.Write("product.c", kFaulty);
  return installation.Write("product.tune", kDefinition);
}

TEST(Kernels, NoConfigurationEndsTheStudyAndTheBestIsRight) {
  Installation installation;
  const std::string definition = WriteFaulty(installation);
  installation.Start();
  ASSERT_FALSE(HasFatalFailure());
  // There are eleven configurations.
  const std::vector<std::string> ids = installation.Submit(
      {definition, "--strategy", "ants", "--evaluations", "12", "--ants", "4", "--time-limit", "2s"});
  ASSERT_EQ(ids.size(), 1u);
  const Json study = installation.WaitForEnd(ids[0], 200);
  ASSERT_EQ(study.value("state", ""), "done") << study.dump(1);
  EXPECT_EQ(study.value("name", ""), "product");
  EXPECT_EQ(study.value("evaluated", 0), 11);
  EXPECT_TRUE(study["warnings"].empty()) << study["warnings"];
  std::map<std::string, std::set<std::string>> outcomes;  // by FAULT
  for (int index = 0; index < 11; ++index) {
    const Json candidate = installation.TunectlJson({"show", absl::StrCat(ids[0], "/", index)});
    const Json& evaluation = candidate["evaluation"];
    outcomes[OptionOf(candidate, "FAULT")].insert(
        absl::StrCat(evaluation.value("outcome", ""), " ", evaluation.value("message", "")));
  }
  ASSERT_EQ(outcomes.size(), 6u) << study.dump(1);
  EXPECT_THAT(outcomes["0"], Contains("correct "));
  // On a host that is busy a right one may seem hopeless.
  EXPECT_THAT(outcomes["0"], Each(AnyOf("correct ", StartsWith("timeout hopeless: "))));
  EXPECT_THAT(outcomes["1"], Contains(StartsWith("correctness C[5] is ")));
  EXPECT_THAT(outcomes["2"], Contains(StartsWith("runtime ")));
  EXPECT_THAT(outcomes["3"], Contains(HasSubstr("this value cannot be built")));
  EXPECT_THAT(outcomes["4"], Contains(StartsWith("timeout ")));
  EXPECT_THAT(outcomes["5"], Contains(StartsWith("runtime ")));
  const Json best =
      installation.TunectlJson({"show", absl::StrCat(ids[0], "/", study.value("best_index", -1))});
  EXPECT_EQ(OptionOf(best, "FAULT"), "0");
  // The header has its macros.
  const std::string header = installation.path("product.tuned.h");
  const SubprocessResult fetched = installation.Tunectl({"fetch", ids[0], "-o", header});
  ASSERT_TRUE(fetched.ok()) << fetched.standard_error;
  EXPECT_THAT(fetched.standard_output, HasSubstr("build product.c with -include "));
  EXPECT_EQ(fetched.standard_error.find("Beware"), std::string::npos) << fetched.standard_error;
  const std::string text = ReadFile(header).value_or("");
  EXPECT_THAT(text, HasSubstr("#define FAULT 0\n"));
  EXPECT_THAT(text, HasSubstr(absl::StrCat("#define UNROLL ", OptionOf(best, "UNROLL"), "\n")));
}

TEST(Kernels, TheExampleIsTuned) {
  Installation installation;
  installation.Write("matmul.c", Example("matmul.c"));
  const std::string definition = installation.Write("matmul.tune", Example("matmul.tune"));
  installation.Start();
  ASSERT_FALSE(HasFatalFailure());
  const std::vector<std::string> ids =
      installation.Submit({definition, "--param", "n=128", "--evaluations", "6", "--time-limit", "2s"});
  ASSERT_EQ(ids.size(), 1u);
  const Json study = installation.WaitForEnd(ids[0], 200);
  ASSERT_EQ(study.value("state", ""), "done") << study.dump(1);
  EXPECT_EQ(study.value("evaluated", 0), 6);
  // Some are ten times slower than the best.
  for (const auto& [outcome, count] : study["outcomes"].items())
    EXPECT_TRUE(outcome == "correct" || outcome == "timeout") << outcome << ": " << count;
}

// One header for two sizes, whose macros the compiler takes by the size that it is told, and wisdom of both.
TEST(Kernels, TwoSizesAreFetchedIntoOneHeader) {
  Installation installation;
  installation.Write("matmul.c", Example("matmul.c"));
  const std::string definition = installation.Write("matmul.tune", Example("matmul.tune"));
  installation.Start();
  ASSERT_FALSE(HasFatalFailure());
  const std::vector<std::string> ids =
      installation.Submit({definition, "--sizes", "n=64,96", "--evaluations", "3", "--time-limit", "2s"});
  ASSERT_EQ(ids.size(), 2u);
  for (const std::string& id : ids)
    ASSERT_EQ(installation.WaitForEnd(id, 200).value("state", ""), "done") << id;
  const std::string header = installation.path("both.h");
  const SubprocessResult fetched = installation.Tunectl({"fetch", ids[0], ids[1], "-o", header});
  ASSERT_TRUE(fetched.ok()) << fetched.standard_error;
  EXPECT_THAT(fetched.standard_output, HasSubstr("-DTUNED_n=64 or -DTUNED_n=96"));
  for (const auto& [macro, good] :
       {std::pair("-DTUNED_n=64", true), std::pair("-DTUNED_n=96", true), std::pair("-DTUNED_n=65", false)}) {
    const auto built = RunSubprocess({"cc", macro, "-include", header, "-c", "-o",
                                      installation.path("matmul.o"), installation.path("matmul.c")},
                                     {});
    ASSERT_TRUE(built.ok());
    EXPECT_EQ(built->ok(), good) << macro << built->standard_error;
  }
  const std::string wisdom = ReadFile(installation.path("both.wisdom")).value_or("");
  EXPECT_THAT(wisdom, HasSubstr("\"problem_size\":[64]"));
  EXPECT_THAT(wisdom, HasSubstr("\"problem_size\":[96]"));
  EXPECT_THAT(wisdom, HasSubstr("\"tunable_parameters\":["));
  // Its own files are replaced, also by those of one size.
  EXPECT_TRUE(installation.Tunectl({"fetch", ids[0], "-o", header}).ok());
  EXPECT_EQ(ReadFile(installation.path("both.wisdom")).value_or("").find("[96]"), std::string::npos);
}

TEST(Kernels, OptionsAreADefinitionToo) {
  Installation installation;
  const std::string file = installation.Write("scale.c",
                                              "void scale(int n, double *x) {\n"
                                              "  for (int i = 0; i < n; i += STEP)\n"
                                              "    for (int u = 0; u < STEP; u++) x[i + u] *= 2;\n"
                                              "}\n");
  installation.Start();
  ASSERT_FALSE(HasFatalFailure());
  const std::vector<std::string> ids = installation.Submit(
      {file, "--problem", "n=4096", "--parameter", "STEP=1,2", "--argument", "n:int:n", "--argument",
       "x:double[n]:inout:random", "--kernel", "scale", "--time-limit", "2s"});
  ASSERT_EQ(ids.size(), 1u);
  const Json study = installation.WaitForEnd(ids[0], 200);
  EXPECT_EQ(study.value("state", ""), "done") << study.dump(1);
  EXPECT_EQ(study.value("evaluated", 0), 2);
}

TEST(Kernels, ADefinitionWithFaultsIsRefusedWithItsLines) {
  Installation installation;
  WriteFaulty(installation);
  const std::string definition =
      installation.Write("wrong.tune", absl::StrCat(kDefinition, "constraint TILE_K > 2\n"));
  const SubprocessResult result = installation.Tunectl({"submit", definition});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.standard_error, HasSubstr("wrong.tune: "));
  EXPECT_THAT(result.standard_error, HasSubstr("TILE_K"));
}

}  // namespace
}  // namespace tune
