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

namespace tune {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kLibrary[] = TUNE_BINARY_DIR "/libtune/libtune.so";
constexpr char kHost[] = "// ---- host ----\n";
constexpr char kNoRules[] = "#define gemm_MIN_COMPUTE 0\n#define gemm_COMPUTE_INTENSITY 0\n";

// Whole numbers, so that sums are exact in any order. Results of all calls count.
constexpr char kProgram[] = R"(#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#pragma weak cudaStreamCreateWithFlags
#pragma weak cudaStreamBeginCapture
#pragma weak cudaStreamEndCapture
int cudaStreamCreateWithFlags(void **stream, unsigned flags);
int cudaStreamBeginCapture(void *stream, int mode);
int cudaStreamEndCapture(void *stream, void **graph);
static void gemm(int n, int m, int k, double C[restrict n][m], double A[restrict n][k], double B[restrict k][m]) {
#pragma scop
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++) C[i][j] *= 2;
    for (int l = 0; l < k; l++)
      for (int j = 0; j < m; j++) C[i][j] += A[i][l] * B[l][j];
  }
#pragma endscop
}
static void *Calls(void *result) {
  enum { n = 9, m = 7, k = 6 };
  double A[n][k], B[k][m], C[n][m], sum = 0;
  for (int call = 0; call < CALLS; call++) {
    for (int i = 0; i < n; i++)
      for (int l = 0; l < k; l++) A[i][l] = (i * 5 + l + call) % 11;
    for (int l = 0; l < k; l++)
      for (int j = 0; j < m; j++) B[l][j] = (l * 3 + j * 7) % 13;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++) C[i][j] = (i + j + call) % 5;
    gemm(n, m, k, C, A, B);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++) sum += (call % 17 + 1) * (i * m + j) * C[i][j];
  }
  *(double *)result = sum;
  return 0;
}
// Of the file of tries, those that used the device.
static int DeviceTries(void) {
  const char *name = getenv("TUNE_TRIES_FILE");
  FILE *file = name == 0 ? 0 : fopen(name, "r");
  char line[4096];
  int tries = 0;
  while (file != 0 && fgets(line, sizeof line, file) != 0)
    tries += strstr(line, "=tables") != 0 || strstr(line, "=formats") != 0;
  if (file != 0) fclose(file);
  return tries;
}
// Calls while a stream that waits for the default stream is recorded, if there is CUDA.
static void Capture(void) {
  void *stream = 0, *graph = 0;
  double sum = 0;
  int error = 0;
  if (cudaStreamBeginCapture != 0) error = cudaStreamCreateWithFlags(&stream, 0);
  if (cudaStreamBeginCapture != 0 && error == 0) error = cudaStreamBeginCapture(stream, 0);
  const int before = DeviceTries();
  Calls(&sum);
  const int tries = DeviceTries() - before;
  if (cudaStreamBeginCapture != 0 && error == 0) error = cudaStreamEndCapture(stream, &graph);
  printf("%d %.0f %d\n", error, sum, tries);
}
int main(void) {
  double sums[THREADS + 1];
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], 0, Calls, &sums[i]);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], 0);
  for (int i = 0; i < THREADS; i++) printf("%.0f\n", sums[i]);
  fflush(stdout);
  for (int i = 0; i < CAPTURES; i++) {
    Capture();
    Calls(&sums[0]);
    printf("%.0f\n", sums[0]);
  }
  for (int i = 0; i < CHILDREN; i++) {
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
      double sum;
      Calls(&sum);
      printf("%.0f\n", sum);
      fflush(stdout);
      _exit(0);
    }
    waitpid(child, &status, 0);
    Calls(&sums[0]);
    printf("%d %.0f\n", status, sums[0]);
    fflush(stdout);
  }
  return 0;
}
)";

class OnlineFiles : public ::testing::Test {
 protected:
  struct Outcome {
    std::string out, err, counts;
    bool launched() const { return !absl::StrContains(counts, "\nlaunches 0\n"); }
  };

  std::string Path(const std::string& name) const { return folder_.path() + "/" + name; }
  std::string Wisdom() const { return ReadFile(Path("wisdom")).value_or(""); }

  static std::string Call(const std::vector<std::string>& command) {
    const auto result = RunSubprocess(command, {});
    EXPECT_TRUE(result.ok() && result->ok())
        << (result.ok() ? result->standard_output + result->standard_error : result.status().ToString());
    return result.ok() ? result->standard_output : "";
  }

  // The program, its CUDA file with `definitions`, and what the original prints.
  void Generate(const std::string& definitions, int calls, int threads = 1, int children = 0,
                int captures = 0) {
    const std::vector<std::pair<std::string, std::string>> sizes = {{"CALLS", absl::StrCat(calls)},
                                                                    {"THREADS", absl::StrCat(threads)},
                                                                    {"CHILDREN", absl::StrCat(children)},
                                                                    {"CAPTURES", absl::StrCat(captures)}};
    ASSERT_TRUE(WriteFile(Path("program.c"), absl::StrReplaceAll(kProgram, sizes)).ok());
    std::vector<std::string> command = {TUNE_BINARY_DIR "/bin/tunectl",
                                        "generate",
                                        Path("program.c"),
                                        "--online",
                                        "--force",
                                        "-o",
                                        Path("out.c")};
    command.insert(command.end(), target_.begin(), target_.end());
    Call(command);
    const std::string text = ReadFile(Path("out.cu")).value_or("");
    ASSERT_THAT(text, HasSubstr(kHost));
    ASSERT_TRUE(
        WriteFile(Path("out.cu"), absl::StrReplaceAll(text, {{kHost, absl::StrCat(kHost, definitions)}}))
            .ok());
    Call({"cc", "-O1", "-w", Path("program.c"), "-pthread", "-o", Path("original")});
    expected_ = Call({Path("original")});
    Call(
        {"cc", "-O1", "-w", "-fopenmp", Path("out.c"), "-fPIC", "-shared", "-pthread", "-o", Path("out.so")});
  }

  // `options`: of run_on_simulated_device; the program runs once with each.
  std::vector<Outcome> RunEach(const std::vector<std::string>& environment,
                               const std::vector<std::vector<std::string>>& options) {
    std::vector<Outcome> outcomes = RunUnchecked(environment, options);
    for (size_t i = 0; i < options.size(); ++i)
      EXPECT_EQ(outcomes[i].out, expected_) << absl::StrJoin(options[i], " ") << "\n" << outcomes[i].err;
    return outcomes;
  }
  std::vector<Outcome> RunUnchecked(const std::vector<std::string>& environment,
                                    const std::vector<std::vector<std::string>>& options) {
    std::vector<std::string> command = {"env", absl::StrCat("LD_PRELOAD=", kLibrary),
                                        "CPLUS_INCLUDE_PATH=" TUNE_SOURCE_DIR "/libtune/include",
                                        absl::StrCat("TUNE_WISDOM_FILE=", Path("wisdom"))};
    command.insert(command.end(), environment.begin(), environment.end());
    command.push_back(TUNE_BINARY_DIR "/tests/simulated/run_on_simulated_device");
    command.push_back(Path("out.cu"));
    std::string log;
    for (size_t i = 0; i < options.size(); ++i) {
      command.insert(command.end(), options[i].begin(), options[i].end());
      command.insert(command.end(), {"--output", Name(i), Path("out.so")});
      absl::StrAppend(&log, Name(i), " 0\n");
    }
    EXPECT_EQ(Call(command), log);
    std::vector<Outcome> outcomes;
    for (size_t i = 0; i < options.size(); ++i) {
      outcomes.push_back({ReadFile(Name(i) + ".out").value_or(""), ReadFile(Name(i) + ".err").value_or(""),
                          ReadFile(Name(i) + ".counts").value_or("")});
    }
    return outcomes;
  }
  std::string Name(size_t run) const { return Path(absl::StrCat("run", run)); }

  Outcome Run(const std::vector<std::string>& environment = {}) { return RunEach(environment, {{}})[0]; }

  // Replaces a piece of the kernel, or of all of them with "".
  void ChangeKernels(const std::string& name, const std::string& piece, const std::string& by) {
    const std::string text = ReadFile(Path("out.cu")).value_or("");
    std::vector<std::string> parts = absl::StrSplit(text, "extern \"C\" __global__ void");
    bool changed = false;
    for (size_t i = 1; i < parts.size(); ++i) {
      if (!absl::StrContains(parts[i].substr(0, parts[i].find('{')), name.empty() ? name : name + "("))
        continue;
      changed |= absl::StrContains(parts[i], piece);
      parts[i] = absl::StrReplaceAll(parts[i], {{piece, by}});
    }
    ASSERT_TRUE(changed);
    ASSERT_TRUE(WriteFile(Path("out.cu"), absl::StrJoin(parts, "extern \"C\" __global__ void")).ok());
  }

  const TemporaryFolder folder_ = TemporaryFolder::Make().value();
  std::string expected_;
  std::vector<std::string> target_ = {"--cases"};
};

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
  const std::string program = kProgram;
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
  OnlineParts() { target_ = {"--target", "cpu+cuda"}; }
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
