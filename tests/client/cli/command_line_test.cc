// What the command line accepts, and what it says about the rest. No server is involved.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "client/cli/program_options.h"
#include "client/cli/tunectl.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

struct Outcome {
  int code;
  std::string out, err;
};

Outcome Tunectl(const std::vector<std::string>& arguments) {
  std::ostringstream out, err;
  const int code = RunTunectl(arguments, {&out, &err});
  return {code, out.str(), err.str()};
}

TEST(CommandLineTest, HelpNamesVerbsExitCodesAndEnvironment) {
  const Outcome run = Tunectl({"--help"});
  EXPECT_EQ(run.code, 0);
  for (const char* word :
       {"submit", "tune", "ls", "show", "watch", "logs", "cancel", "best", "fetch", "replay", "workers",
        "extract", "describe", "generate", "doctor", "130", "TUNE_SERVER", "TUNE_TOKEN_FILE", "--json"}) {
    EXPECT_THAT(run.out, HasSubstr(word));
  }
  EXPECT_EQ(run.err, "");
}

TEST(CommandLineTest, EveryVerbHasHelpWithExamples) {
  for (const char* verb : {"submit", "tune", "ls", "show", "watch", "logs", "cancel", "best", "fetch",
                           "replay", "workers", "extract", "describe", "generate", "doctor", "token"}) {
    const Outcome run = Tunectl({verb, "--help"});
    EXPECT_EQ(run.code, 0) << verb;
    EXPECT_THAT(run.out, HasSubstr("Examples:")) << verb;
    EXPECT_THAT(run.out, HasSubstr("--json prints")) << verb;
    EXPECT_THAT(run.out, HasSubstr("--server")) << verb;
  }
}

TEST(CommandLineTest, Version) {
  const Outcome run = Tunectl({"--version"});
  EXPECT_EQ(run.code, 0);
  EXPECT_THAT(run.out, HasSubstr("tunectl 0."));
}

TEST(CommandLineTest, UsageErrorsExitWith2AndNameTheHelp) {
  const std::vector<std::vector<std::string>> wrong = {
      {},
      {"frobnicate"},
      {"ls", "--frob"},
      {"submit"},
      {"show"},
      {"show", "s3/x"},
      {"show", "s3/1", "--candidates"},
      {"watch", "s3/1"},
      {"cancel"},
      {"cancel", "/3"},
      {"ls", "--limit", "0"},
      {"ls", "--limit", "many"},
      {"submit", "x.c", "--strategy", "luck"},
      {"submit", "x.c", "--memory", "2X"},
      {"submit", "x.c", "--time-limit", "soon"},
      {"submit", "x.c", "--evaluations", "0"},
      {"submit", "x.c", "--evaluations", "1.5"},
      {"submit", "x.c", "--rho", "2"},
      {"submit", "x.c", "--region", "0"},
      {"submit", "x.c", "--target", "tpu"},
      {"submit", "x.c", "--generator", "magic"},
      {"submit", "x.c", "--generator", "ppcg", "--target", "cpu"},
      {"submit", "x.c", "--generator", "ppcg", "--target", "cpu+cuda"},
      {"best", "x.c", "--generator", "ppcg", "--target", "cpu+cuda"},
      {"submit", "x.c", "--target", "cpu+cuda", "--cases"},
      {"submit", "x.c", "--target", "cpu+cuda", "--sizes", "n=1,2"},
      {"submit", "x.c", "--target", "cpu+cuda", "--strategy", "carving"},
      {"submit", "x.c", "--target", "cpu+cuda", "--level", "2"},
      {"submit", "x.c", "--param", "n"},
      {"submit", "x.c", "--param", "n=many"},
      {"submit", "x.c", "--param", "n=1", "--param", "n=2"},
      {"submit", "x.c", "--cflags", "'open"},
      {"extract", "x.c", "--analysis-limit", "0"},
      {"generate", "x.c", "--target", "cpu", "--analysis-limit", "1001"},
      {"submit", "x.c", "--watch", "--no-wait"},
      {"tune", "x.c", "--server", "host:1"},
      {"tune", "x.c", "--parameter", "n=40"},
      {"replay", "s3"},
      {"replay", "s3/1", "file"},
      {"fetch"},
  };
  for (const auto& arguments : wrong) {
    const Outcome run = Tunectl(arguments);
    EXPECT_EQ(run.code, kExitUsage) << ::testing::PrintToString(arguments) << run.err;
    EXPECT_THAT(run.err, HasSubstr("--help`")) << ::testing::PrintToString(arguments);
    EXPECT_THAT(run.err, ::testing::StartsWith("tunectl: ")) << ::testing::PrintToString(arguments);
    EXPECT_EQ(run.out, "") << ::testing::PrintToString(arguments);
  }
}

TEST(CommandLineTest, UsageErrorsSayWhatIsAccepted) {
  EXPECT_THAT(Tunectl({"submit", "x.c", "--memory", "2X"}).err, HasSubstr("2G or 512M"));
  EXPECT_THAT(Tunectl({"submit", "x.c", "--param", "n"}).err, HasSubstr("n=1000"));
  EXPECT_THAT(Tunectl({"watch", "s3/1"}).err, HasSubstr("without /1"));
  EXPECT_THAT(Tunectl({"tune", "x.c", "--server", "h:1"}).err, HasSubstr("submit --watch"));
  EXPECT_THAT(Tunectl({"submit", "x.c", "--target", "tpu"}).err, HasSubstr("cuda"));
}

// Parses one verb made of both groups of options.
class OptionsTest : public ::testing::Test {
 protected:
  void Parse(std::vector<std::string> arguments) {
    CLI::App app;
    program_.AddTo(app);
    study_.AddTo(app);
    std::reverse(arguments.begin(), arguments.end());
    app.parse(arguments);
  }
  ProgramOptions program_;
  StudyOptions study_;
};

TEST_F(OptionsTest, AnalysisLimitIsForTheProgramsThatAreStarted) {
  Parse({"x.c", "--analysis-limit", "7"});
  const char* const limit = getenv("TUNE_ANALYSIS_LIMIT");
  ASSERT_NE(limit, nullptr);
  EXPECT_STREQ(limit, "7");
  unsetenv("TUNE_ANALYSIS_LIMIT");
}

TEST_F(OptionsTest, RepeatedOptionsDoNotSwallowTheFile) {
  Parse({"-I", "inc", "-Iother", "-DLARGE", "-D", "N=10", "--with", "a.c", "gemm.c", "--with", "b.c", "--arg",
         "x", "--cflags", "-O2 -ffast-math", "--ldflags", "-lm"});
  const FrontEndRequest request = program_.Request().value();
  EXPECT_EQ(request.file, "gemm.c");
  EXPECT_EQ(request.include_directories, (std::vector<std::string>{"inc", "other"}));
  EXPECT_EQ(request.defines, (std::vector<std::string>{"LARGE", "N=10"}));
  EXPECT_EQ(request.with, (std::vector<std::string>{"a.c", "b.c"}));
  EXPECT_EQ(request.arguments, (std::vector<std::string>{"x"}));
  EXPECT_EQ(request.compile_flags, (std::vector<std::string>{"-O2", "-ffast-math"}));
  EXPECT_EQ(request.link_flags, (std::vector<std::string>{"-lm"}));
}

TEST_F(OptionsTest, NothingGivenLeavesTheServersDefaults) {
  Parse({"gemm.c"});
  const StudyWishes wishes = study_.Wishes().value();
  EXPECT_EQ(wishes.search.ByteSizeLong(), 0u);
  EXPECT_EQ(wishes.limits.ByteSizeLong(), 0u);
  EXPECT_EQ(wishes.target, v1::TARGET_UNSPECIFIED);
  EXPECT_EQ(wishes.generator, "builtin");
  EXPECT_EQ(wishes.region, 0);
}

TEST_F(OptionsTest, PpcgIsForGpus) {
  Parse({"gemm.c", "--generator", "ppcg"});
  const StudyWishes wishes = study_.Wishes().value();
  EXPECT_EQ(wishes.generator, "ppcg");
  EXPECT_EQ(wishes.target, v1::CUDA);
}

TEST_F(OptionsTest, SharedRegionsAreForGpusWithTheirHosts) {
  Parse({"gemm.c", "--target", "cpu+cuda"});
  const StudyWishes wishes = study_.Wishes().value();
  EXPECT_EQ(wishes.generator, "cpu+cuda");
  EXPECT_EQ(wishes.target, v1::CUDA);
}

TEST_F(OptionsTest, EveryWish) {
  Parse({"gemm.c",
         "--strategy",
         "random",
         "--evaluations",
         "7",
         "--seed",
         "18446744073709551615",
         "--ants",
         "3",
         "--iterations",
         "4",
         "--alpha",
         "2",
         "--beta",
         "0.5",
         "--rho",
         "0.2",
         "--sigma",
         "2.5",
         "--base-offset",
         "9",
         "--confirm",
         "5",
         "--time-limit",
         "2m",
         "--reference-time",
         "90s",
         "--compile-time",
         "5",
         "--memory",
         "2G",
         "--float-tolerance",
         "0.01",
         "--double-tolerance",
         "1e-6",
         "--target",
         "cpu",
         "--name",
         "n1",
         "--region",
         "2",
         "--param",
         "n=1000",
         "--param",
         "m=-3"});
  const StudyWishes wishes = study_.Wishes().value();
  EXPECT_EQ(wishes.search.strategy(), "random");
  EXPECT_EQ(wishes.search.evaluations(), 7);
  EXPECT_EQ(wishes.search.seed(), UINT64_MAX);
  EXPECT_EQ(wishes.search.ants(), 3);
  EXPECT_EQ(wishes.search.iterations(), 4);
  EXPECT_EQ(wishes.search.alpha(), 2);
  EXPECT_EQ(wishes.search.beta(), 0.5);
  EXPECT_EQ(wishes.search.rho(), 0.2);
  EXPECT_EQ(wishes.search.sigma(), 2.5);
  EXPECT_EQ(wishes.search.base_offset(), 9);
  EXPECT_EQ(wishes.search.confirm(), 5);
  EXPECT_EQ(wishes.limits.evaluation_seconds(), 120);
  EXPECT_EQ(wishes.limits.reference_seconds(), 90);
  EXPECT_EQ(wishes.limits.compile_seconds(), 5);
  EXPECT_EQ(wishes.limits.memory_bytes(), int64_t{2} << 30);
  EXPECT_EQ(wishes.tolerance.float_relative(), 0.01);
  EXPECT_EQ(wishes.tolerance.double_relative(), 1e-6);
  EXPECT_EQ(wishes.target, v1::CPU);
  EXPECT_EQ(wishes.name, "n1");
  EXPECT_EQ(wishes.region, 2);
  EXPECT_EQ(wishes.parameters, (std::map<std::string, int64_t>{{"m", -3}, {"n", 1000}}));
}

TEST_F(OptionsTest, BuildCommandUsesTheUsersFlags) {
  Parse({"dir/gemm.c", "-I", "inc dir", "-I", "dir", "--with", "a.c"});
  v1::Program program;
  program.set_has_main(true);
  program.add_defines("N=10");
  EXPECT_EQ(program_.BuildCommand(program, "gemm.tuned.c", {}),
            "cc -O3 -march=native -fopenmp -Idir '-Iinc dir' -DN=10 gemm.tuned.c a.c -o gemm.tuned -lm");
  program.add_link_flags("-lm");  // once
  EXPECT_EQ(program_.BuildCommand(program, "gemm.tuned.c", {}),
            "cc -O3 -march=native -fopenmp -Idir '-Iinc dir' -DN=10 gemm.tuned.c a.c -o gemm.tuned -lm");
  program.clear_link_flags();
  program.add_compile_flags("-O2");
  program.add_link_flags("-lfoo");
  program.set_has_main(false);
  EXPECT_EQ(program_.BuildCommand(program, "gemm.tuned.c", {}),
            "cc -O2 -fopenmp -Idir '-Iinc dir' -DN=10 -c gemm.tuned.c a.c -o gemm.tuned.o -lfoo");
}

TEST_F(OptionsTest, BuildCommandLinksTheObjectsOfCudaFiles) {
  Parse({"gemm.c"});
  v1::Program program;
  program.set_has_main(true);
  const ProgramOptions::TunedParts parts{.openmp = false, .device_objects = {"gemm.tuned.cu.o"}};
  EXPECT_EQ(
      program_.BuildCommand(program, "gemm.tuned.c", parts),
      "cc -O3 -march=native gemm.tuned.c gemm.tuned.cu.o -o gemm.tuned -lm -L/usr/local/cuda/lib64 -lcudart "
      "-lstdc++");
  program.set_has_main(false);  // nothing is linked
  EXPECT_EQ(program_.BuildCommand(program, "gemm.tuned.c", parts),
            "cc -O3 -march=native -c gemm.tuned.c -o gemm.tuned.o");
}

TEST(CandidateNameTest, StudyAndIndex) {
  EXPECT_EQ(ParseCandidateName("s3")->study, "s3");
  EXPECT_EQ(ParseCandidateName("s3")->index, -1);
  EXPECT_EQ(ParseCandidateName("s3/17")->index, 17);
  for (const char* bad : {"", "/1", "s3/", "s3/-1", "s3/1/2", "s3/x"}) {
    EXPECT_FALSE(ParseCandidateName(bad).ok()) << bad;
  }
}

TEST(ExitCodeTest, ByKindOfError) {
  EXPECT_EQ(ExitCodeOf(UsageError("x")), kExitUsage);
  EXPECT_EQ(ExitCodeOf(absl::UnavailableError("a file")), kExitFailed);
  EXPECT_EQ(ExitCodeOf(absl::InvalidArgumentError("x")), kExitFailed);
}

}  // namespace
}  // namespace tune
