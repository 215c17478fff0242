// Programs with a product of matrices in a region, tuned and run on simulated GPUs with libtune beside them.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "common/base/file.h"
#include "common/base/subprocess.h"

namespace tune::testing {

constexpr char kLibtune[] = TUNE_BINARY_DIR "/libtune/libtune.so";
constexpr char kHost[] = "// ---- host ----\n";
constexpr char kNoRules[] = "#define gemm_MIN_COMPUTE 0\n#define gemm_COMPUTE_INTENSITY 0\n";

// Whole numbers, so that sums are exact in any order. Results of all calls count.
constexpr char kOnlineProgram[] = R"(#include <pthread.h>
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
    ASSERT_TRUE(WriteFile(Path("program.c"), absl::StrReplaceAll(program_, sizes)).ok());
    std::vector<std::string> command = {
        TUNE_BINARY_DIR "/bin/tunectl", "generate", Path("program.c"), "--force", "-o", Path("out.c")};
    command.insert(command.end(), target_.begin(), target_.end());
    Call(command);
    const std::string text = ReadFile(Path("out.cu")).value_or("");
    ASSERT_THAT(text, ::testing::HasSubstr(kHost));
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
    std::vector<std::string> command = {"env", absl::StrCat("LD_PRELOAD=", kLibtune),
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
  std::string program_ = kOnlineProgram;
  std::vector<std::string> target_ = {"--cases", "--online"};
};

}  // namespace tune::testing
