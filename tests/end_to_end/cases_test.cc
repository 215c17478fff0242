// Studies that make the case discussion of their region, through the real programs and a simulated GPU.
#include <gmock/gmock.h>

#include <cstdlib>

#include "tests/common/testing/programs.h"
#include "tests/end_to_end/installation.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

constexpr char kProduct[] = R"(#include <stdio.h>
#include <stdlib.h>
static double a[96][96], b[96][96], c[96][96];
static void product(int n) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      c[i][j] = 0;
      for (int k = 0; k < n; k++) c[i][j] += a[i][k] * b[k][j];
    }
#pragma endscop
}
int main(int argc, char** argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 64;
  for (int i = 0; i < 96; i++)
    for (int j = 0; j < 96; j++) {
      a[i][j] = (i + j) % 7;
      b[i][j] = (i * j) % 5;
    }
  product(n);
  double sum = 0;
  for (int i = 0; i < 96; i++)
    for (int j = 0; j < 96; j++) sum += c[i][j] * (i + 2 * j);
  printf("%.6f\n", sum);
  return 0;
}
)";

TEST(CasesTest, AStudyHasThemAndFetchWritesThemForAllSizes) {
  Installation installation;
  installation.StartServer();
  setenv("TUNE_LIBEXEC", TUNE_BINARY_DIR "/tests/simulated", 1);
  installation.StartWorker();
  unsetenv("TUNE_LIBEXEC");
  const std::string program = installation.path("product.c"), output = installation.path("out.c");
  ASSERT_TRUE(WriteFile(program, kProduct).ok());
  const std::vector<std::string> ids =
      installation.Submit({program, "--cases", "--evaluations", "1", "--confirm", "1", "--arg", "64"});
  ASSERT_EQ(ids.size(), 1u);
  const Json study = installation.WaitForEnd(ids[0], 600);
  ASSERT_EQ(study.value("state", ""), "done") << study.value("failure", "");
  // The tree, as data and as text.
  ASSERT_FALSE(study["cases"].is_null()) << study["warnings"];
  EXPECT_EQ(study["cases"].value("name", ""), "product");
  EXPECT_EQ(study["cases"]["kernels"].at(0)["tree"]["condition"], "B0*B1 <= T");
  const SubprocessResult shown = installation.Tunectl({"show", ids[0]});
  EXPECT_THAT(shown.standard_output, HasSubstr("if B0*B1 <= T"));
  EXPECT_THAT(shown.standard_output, HasSubstr("case 1: "));
  // The file is for all sizes, and has the study's own format; on request it is that of the size.
  const SubprocessResult fetched = installation.Tunectl({"fetch", ids[0], "-o", output});
  ASSERT_TRUE(fetched.ok()) << fetched.standard_error;
  const std::string text = ReadFile(output).value_or(""),
                    device = ReadFile(installation.path("out.cu")).value_or("");
  EXPECT_THAT(text, HasSubstr("Sizes are arguments of the code"));
  EXPECT_THAT(device, HasSubstr("with formats of " + ids[0]));
  EXPECT_THAT(device, HasSubstr("_known[] = {"));
  EXPECT_THAT(device, HasSubstr("// " + ids[0] + "\n"));
  ASSERT_TRUE(RunSubprocess({"cc", "-O1", program, "-w", "-o", installation.path("original")}, {})->ok());
  ASSERT_TRUE(
      RunSubprocess({"cc", "-O1", "-w", "-fPIC", "-shared", output, "-o", installation.path("out.so")}, {})
          ->ok());
  const SubprocessResult run = RunSubprocess({TUNE_BINARY_DIR "/tests/simulated/run_on_simulated_device",
                                              installation.path("out.cu"), installation.path("out.so")},
                                             {})
                                   .value();
  EXPECT_THAT(run.standard_output, HasSubstr("out.so 0")) << run.standard_error;
  EXPECT_EQ(ReadFile(installation.path("out.so.out")).value_or(""),
            RunSubprocess({installation.path("original")}, {})->standard_output);
  EXPECT_THAT(ReadFile(installation.path("out.so.counts")).value_or(""), HasSubstr("\nlaunches 1\n"));
  ASSERT_TRUE(installation.Tunectl({"fetch", ids[0], "--one-size", "--force", "-o", output}).ok());
  EXPECT_THAT(ReadFile(output).value_or(""), HasSubstr("n == 64"));
  // What the lab knows goes by hand, too.
  const std::string formats = installation.path("lab.formats");
  ASSERT_TRUE(installation.Tunectl({"export", ids[0], "--format", "cases", "-o", formats}).ok());
  ASSERT_TRUE(
      installation.Tunectl({"generate", program, "--cases", "--formats", formats, "-o", output}).ok());
  EXPECT_THAT(ReadFile(installation.path("out.cu")).value_or(""), HasSubstr("// " + ids[0] + "\n"));
}

}  // namespace
}  // namespace tune
