// Files that tune themselves while they run (`tunectl generate --online`), with libtune, over simulated
// GPUs: whatever is tried, they print what the original prints.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "client/cli/tunectl.h"
#include "common/base/file.h"
#include "common/base/subprocess.h"
#include "tests/client/testing/fake_server.h"
#include "tests/tuned_builds/online_files.h"

namespace tune {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using testing::kHost;
using testing::kNoRules;
using testing::kOnlineProgram;
using ::testing::Not;
using testing::OnlineFiles;

// By the paper's thresholds nine rows are too little for a GPU.
TEST_F(OnlineFiles, RulesRejectTheDeviceBeforeAnythingRuns) {
  Generate("", 20);
  EXPECT_FALSE(Run().launched());
  EXPECT_THAT(Wisdom(), HasSubstr("platform=original"));
}

TEST_F(OnlineFiles, EachRuleRejectsByItself) {
  Generate("#define gemm_MIN_COMPUTE 0\n#define gemm_COMPUTE_INTENSITY 1000\n", 20);
  EXPECT_FALSE(Run().launched());
  // 9 * 7 * 6 + 9 * 7 instances.
  Generate("#define gemm_MIN_COMPUTE 442\n#define gemm_COMPUTE_INTENSITY 0\n", 20);
  EXPECT_FALSE(Run({"TUNE_WISDOM_FILE=/dev/null"}).launched());
  Generate("#define gemm_MIN_COMPUTE 441\n#define gemm_COMPUTE_INTENSITY 0\n", 20);
  EXPECT_TRUE(Run({"TUNE_WISDOM_FILE=/dev/null"}).launched());
}

// The simulator takes its time: the original wins, as the next process knows. Of another device it knows
// nothing.
TEST_F(OnlineFiles, TryTheDeviceAndSettleOnWhatIsFastest) {
  Generate(kNoRules, 1500);
  EXPECT_TRUE(Run().launched());
  EXPECT_THAT(Wisdom(), HasSubstr("simulated GPU"));
  EXPECT_THAT(Wisdom(), HasSubstr("platform=original"));
  EXPECT_FALSE(Run().launched());
  EXPECT_TRUE(Run({"TUNE_SIMULATED_NAME=another GPU"}).launched());
}

TEST_F(OnlineFiles, WithoutADeviceTheOriginalRuns) {
  Generate(kNoRules, 20);
  const Outcome outcome = RunEach({}, {{"--fail-from", "-1"}})[0];
  EXPECT_THAT(outcome.err, HasSubstr("its original code runs instead of the tuned one"));
  EXPECT_FALSE(outcome.launched());
  EXPECT_EQ(Wisdom(), "");
}

TEST_F(OnlineFiles, ADeviceThatFailsCostsNoResult) {
  Generate(kNoRules, 40);
  std::vector<std::vector<std::string>> options;
  for (const char* const call : {"3", "8", "15", "60", "200"}) options.push_back({"--fail-from", call});
  RunEach({}, options);
}

TEST_F(OnlineFiles, SeveralThreadsMayBeInTheRegion) {
  Generate(kNoRules, 150, 3);
  EXPECT_TRUE(Run().launched());
}

// A child looks up; what its parent was trying goes on there.
TEST_F(OnlineFiles, ChildrenOfForkAndTheirParentGoOn) {
  Generate(kNoRules, 40, 1, 2);
  EXPECT_TRUE(Run().launched());
}

// The program records a graph, first of all and later: meanwhile the original runs, and nothing is tried on
// the device, which is tuned on afterwards.
TEST_F(OnlineFiles, NothingIsTriedOnTheDeviceInACapture) {
  Generate(kNoRules, 12, /*threads=*/0, /*children=*/0, /*captures=*/3);
  EXPECT_TRUE(Run({absl::StrCat("TUNE_TRIES_FILE=", Path("tries"))}).launched());
  EXPECT_THAT(ReadFile(Path("tries")).value_or(""), HasSubstr("platform=formats"));
}

// Nor does a settled region use the device there.
TEST_F(OnlineFiles, TheOriginalRunsInACaptureWhateverIsKnown) {
  Generate(kNoRules, 1500, /*threads=*/1, /*children=*/0, /*captures=*/1);
  Run();
  const std::string wisdom = Wisdom();
  ASSERT_THAT(wisdom, HasSubstr("platform=original"));
  ASSERT_TRUE(
      WriteFile(Path("wisdom"), absl::StrReplaceAll(wisdom, {{"platform=original", "platform=tables"}}))
          .ok());
  EXPECT_TRUE(Run().launched());
}

// What a program met is tuned off line: the same region in a file without main, at the same sizes.
TEST_F(OnlineFiles, CapturedSizesCanBeSubmitted) {
  Generate(kNoRules, 20);
  Run({absl::StrCat("TUNE_CAPTURE_FILE=", Path("captured"))});
  const std::string program = kOnlineProgram;
  const size_t begin = program.find("static void gemm");
  ASSERT_TRUE(
      WriteFile(Path("gemm.c"), program.substr(begin + sizeof("static"),
                                               program.find("static void *Calls") - begin - sizeof("static")))
          .ok());
  FakeServer server(Path("socket"));
  std::ostringstream out, err;
  setenv("TUNE_LIBEXEC", TUNE_BINARY_DIR "/bin", 1);  // The front end does not lie beside this test.
  EXPECT_EQ(
      RunTunectl({"--server", server.address(), "submit", Path("gemm.c"), "--captured", Path("captured")},
                 {&out, &err}),
      0)
      << err.str() << ReadFile(Path("captured")).value_or("");
  unsetenv("TUNE_LIBEXEC");
  ASSERT_EQ(server.submitted().size(), 1u);
  EXPECT_EQ(server.submitted()[0].spec().name(), "gemm n=9 m=7 k=6");
}

// Complex numbers are compared by their parts.
TEST_F(OnlineFiles, ComplexResultsAreChecked) {
  program_ = absl::StrReplaceAll(
      kOnlineProgram,
      {{"#include <pthread.h>", "#include <complex.h>\n#include <pthread.h>"},
       {"double C[restrict n][m], double A[restrict n][k], double B[restrict k][m]",
        "double complex C[restrict n][m], double complex A[restrict n][k], double B[restrict k][m]"},
       {"double A[n][k], B[k][m], C[n][m], sum = 0;",
        "double complex A[n][k], C[n][m];\n  double B[k][m], sum = 0;"},
       {"% 11;", "% 11 + l * I;"},
       {"* C[i][j];", "* (creal(C[i][j]) - 2 * cimag(C[i][j]));"}});
  Generate(kNoRules, 120);
  const Outcome right = Run({"TUNE_CHECK=1"});
  EXPECT_TRUE(right.launched());
  EXPECT_THAT(right.err, Not(HasSubstr("not the original's")));
  ChangeKernels("", " *= 2;", " *= 3;");
  const Outcome checked = Run({"TUNE_CHECK=1", absl::StrCat("TUNE_WISDOM_FILE=", Path("other"))});
  EXPECT_TRUE(checked.launched());
  EXPECT_THAT(checked.err, HasSubstr("by formats are not the original's"));
}

// Asked for, first results are compared: without a fault nothing is dropped, and the device is used on.
TEST_F(OnlineFiles, RightResultsPassTheCheck) {
  Generate(kNoRules, 120);
  const Outcome checked = Run({"TUNE_CHECK=1"});
  EXPECT_TRUE(checked.launched());
  EXPECT_THAT(checked.err, Not(HasSubstr("not the original's")));
}

// Kernels that all compute something else: the original's results stand.
TEST_F(OnlineFiles, WrongVariantsAreDroppedByTheCheck) {
  Generate(kNoRules, 120);
  ChangeKernels("", " *= 2;", " *= 3;");
  EXPECT_NE(RunUnchecked({}, {{}})[0].out, expected_);
  const Outcome checked = Run({"TUNE_CHECK=1", absl::StrCat("TUNE_WISDOM_FILE=", Path("other"))});
  EXPECT_TRUE(checked.launched());
  EXPECT_THAT(checked.err, HasSubstr("by tables are not the original's"));
  EXPECT_THAT(checked.err, HasSubstr("by formats are not the original's"));
}

// One kernel that computes something else does not cost the others.
TEST_F(OnlineFiles, WhatIsRightStaysBesideWhatIsWrong) {
  Generate(kNoRules, 300);
  ChangeKernels("gemm_kernel0_v2", " *= 2;",
                " *= 3;");  // without shared memory, which the tables do not take
  const Outcome checked = Run({"TUNE_CHECK=1"});
  EXPECT_THAT(checked.err, HasSubstr("by formats are not the original's"));
  EXPECT_THAT(checked.err, Not(HasSubstr("by tables are not the original's")));
}

// What an earlier process settled on is checked, too.
TEST_F(OnlineFiles, WrongWisdomIsDroppedByTheCheck) {
  Generate(kNoRules, 1500);
  EXPECT_TRUE(Run().launched());
  const std::string wisdom = Wisdom();
  ASSERT_THAT(wisdom, HasSubstr("platform=original"));
  ASSERT_TRUE(
      WriteFile(Path("wisdom"), absl::StrReplaceAll(wisdom, {{"platform=original", "platform=tables"}}))
          .ok());
  ChangeKernels("", " *= 2;", " *= 3;");
  EXPECT_THAT(Run({"TUNE_CHECK=1"}).err, HasSubstr("by tables are not the original's"));
}

// A fault takes the device away from the process, which goes on; with the check and without.
TEST_F(OnlineFiles, VariantsThatFaultCostNoResult) {
  Generate(kNoRules, 60);
  ChangeKernels("", " *= 2;", " *= 2 * C[1ll << 40];");
  for (const char* const environment : {"TUNE_CHECK=0", "TUNE_CHECK=1"}) {
    const Outcome outcome = RunEach({environment}, {{"--survive-faults", "1"}})[0];
    EXPECT_THAT(outcome.counts, HasSubstr("\nlaunches 1\n")) << environment;
    EXPECT_THAT(outcome.err, HasSubstr("its original code runs instead of the tuned one")) << environment;
  }
}

// The way of a plugin: a library with the region is closed while it is tuned, is gone then, and is loaded
// again.
TEST_F(OnlineFiles, LibrariesMayBeClosedWhileTheyAreTuned) {
  Generate(kNoRules, 40);
  const std::string text = ReadFile(Path("out.cu")).value_or(""), kernels = text.substr(0, text.find(kHost));
  std::string host;
  for (const absl::string_view part : absl::StrSplit(kernels, "__global__ void ")) {
    const std::string name(absl::StripAsciiWhitespace(part.substr(0, part.find('('))));
    if (part.data() != kernels.data())
      absl::StrAppend(&host, "static const char ", name, "[] = \"", name, "\";\n");
  }
  ASSERT_TRUE(WriteFile(Path("host.cc"), host + text.substr(kernels.size())).ok());
  // Its own region, not the one that runs beside the simulator's kernels.
  Call({"c++", "-std=c++17", "-O1", "-fPIC", "-shared", "-Wl,-Bsymbolic", "-I",
        TUNE_SOURCE_DIR "/libtune/include", "-I", TUNE_SOURCE_DIR "/tests/simulated_cudart", Path("host.cc"),
        "-x", "c", "-w", Path("out.c"), "-o", Path("plugin.so")});
  constexpr char kRounds[] = R"(#include <dlfcn.h>
#include <stdio.h>
int main(void) {
  for (int round = 0; round < 3; round++) {
    void *library = dlopen("PLUGIN", RTLD_NOW | RTLD_LOCAL);
    if (library == 0) return 2;
    ((int (*)(void))dlsym(library, "main"))();
    dlclose(library);
    if (dlopen("PLUGIN", RTLD_NOW | RTLD_NOLOAD) != 0) return 3;
  }
  return 0;
}
)";
  ASSERT_TRUE(
      WriteFile(Path("rounds.c"), absl::StrReplaceAll(kRounds, {{"PLUGIN", Path("plugin.so")}})).ok());
  Call({"cc", "-w", Path("rounds.c"), "-fPIC", "-shared", "-o", Path("out.so")});
  expected_ = absl::StrCat(expected_, expected_, expected_);
  EXPECT_TRUE(Run().launched());
}

TEST_F(OnlineFiles, ADamagedWisdomFileIsLeftAlone) {
  Generate(kNoRules, 30);
  ASSERT_TRUE(WriteFile(Path("wisdom"), "tune-wisdom\t1\nentry\tgemm").ok());
  EXPECT_THAT(Run().err, HasSubstr("going on without it"));
  EXPECT_EQ(Wisdom(), "tune-wisdom\t1\nentry\tgemm");
}

// Parts of the outermost loop on both platforms, of which libtune picks number, platforms and shares.
class OnlineParts : public OnlineFiles {
 protected:
  OnlineParts() { target_ = {"--target", "cpu+cuda", "--online"}; }
};

// The simulator takes its time: what uses no GPU wins, as the next process knows.
TEST_F(OnlineParts, AllDivisionsAreTriedAndTheFastestStays) {
  Generate(kNoRules, 1500);
  EXPECT_TRUE(Run().launched());
  EXPECT_THAT(Wisdom(), ContainsRegex("division=(original|cpu)\\b"));
  EXPECT_FALSE(Run().launched());
}

// By rules that reject each division with a device, and where there is none.
TEST_F(OnlineParts, CpuAndOriginalAreTriedWhereTheDeviceIsNot) {
  Generate("", 1000);
  EXPECT_FALSE(Run().launched());
  EXPECT_THAT(Wisdom(), ContainsRegex("simulated GPU.*division=(original|cpu)\\b"));
  const Outcome without = RunEach({}, {{"--fail-from", "-1"}})[0];
  EXPECT_THAT(without.err, HasSubstr("there is no GPU that can be used"));
  EXPECT_FALSE(without.launched());
  EXPECT_THAT(Wisdom(), ContainsRegex("\tcpu .*division=(original|cpu)\\b"));
}

TEST_F(OnlineParts, NothingIsTriedOnTheDeviceInACapture) {
  Generate(kNoRules, 30, /*threads=*/0, /*children=*/0, /*captures=*/3);
  EXPECT_TRUE(Run({absl::StrCat("TUNE_TRIES_FILE=", Path("tries"))}).launched());
  EXPECT_THAT(ReadFile(Path("tries")).value_or(""), HasSubstr("=tables"));
}

TEST_F(OnlineParts, ThreadsTheCheckAndFaultsCostNoResult) {
  Generate(kNoRules, 60, 2);
  const Outcome checked = Run({"TUNE_CHECK=1", absl::StrCat("TUNE_WISDOM_FILE=", Path("other"))});
  EXPECT_TRUE(checked.launched());
  EXPECT_THAT(checked.err, Not(HasSubstr("not the original's")));
  ChangeKernels("", " *= 2;", " *= 2 * C[1ll << 40];");
  const Outcome outcome = RunEach({}, {{"--survive-faults", "1"}})[0];
  EXPECT_THAT(outcome.counts, HasSubstr("\nlaunches 1\n"));
  EXPECT_THAT(outcome.err, HasSubstr("the CPU runs the GPU's parts, too"));
}

TEST_F(OnlineParts, WrongDivisionsAreDroppedByTheCheck) {
  Generate(kNoRules, 120);
  ChangeKernels("", " *= 2;", " *= 3;");
  EXPECT_NE(RunUnchecked({}, {{}})[0].out, expected_);
  const Outcome checked = Run({"TUNE_CHECK=1", absl::StrCat("TUNE_WISDOM_FILE=", Path("other"))});
  EXPECT_TRUE(checked.launched());
  EXPECT_THAT(checked.err, HasSubstr("results by gpu are not the original's"));
  EXPECT_THAT(checked.err, Not(HasSubstr("results by cpu are not the original's")));
}

}  // namespace
}  // namespace tune
