// A process with two devices that have different limits, each of which is the current one by turns: what is
// kept from call to call, such as memory, streams, graphs, facts, and what libtune knows, is of the current
// one. The simulated device ends a program that takes anything of one device to the other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/numbers.h"
#include "tests/tuned_builds/online_files.h"

namespace tune {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::Gt;
using ::testing::HasSubstr;
using testing::kNoRules;
using ::testing::SizeIs;

// Whole numbers, so that sums are exact in any order; several threads, each with a current device of its own.
constexpr char kTwoDevices[] = R"(#include <pthread.h>
#include <stdio.h>
#pragma weak cudaSetDevice
int cudaSetDevice(int device);
static void gemm(DECLARED double C[restrict EXTENT_N][EXTENT_M], double A[restrict EXTENT_N][EXTENT_M]) {
#pragma scop
  for (int i = 0; i < EXTENT_N; i++)
    for (int j = 0; j < EXTENT_M; j++) {
      C[i][j] *= 2;
      for (int l = 0; l < EXTENT_M; l++) C[i][j] += A[i][l] * (j + l);
    }
#pragma endscop
}
static void *Calls(void *result) {
  enum { n = 40, m = 23 };
  double A[n][m], C[n][m], sum = 0;
  for (int call = 0; call < CALLS; call++) {
    if (cudaSetDevice != 0 && cudaSetDevice(call / TURN % 2) != 0) return 0;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++) A[i][j] = (i * 5 + j + call) % 11, C[i][j] = (i + j + call) % 5;
    gemm(GIVEN C, A);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++) sum += (call % 17 + 1) * (i * m + j) * C[i][j];
  }
  *(double *)result = sum;
  return 0;
}
int main(void) {
  double sums[THREADS + 1];
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], 0, Calls, &sums[i]);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], 0);
  for (int i = 0; i < THREADS; i++) printf("%.0f\n", sums[i]);
  return 0;
}
)";

class TwoDevices : public testing::OnlineFiles {
 protected:
  // `target`: options of generate; `turn`: calls until the other device is the current one.
  void GenerateFor(const std::vector<std::string>& target, int calls, int turn, int threads = 1) {
    target_ = target;
    const bool symbols = !fixed_;
    program_ = absl::StrReplaceAll(kTwoDevices, {{"TURN", absl::StrCat(turn)},
                                                 {"DECLARED ", symbols ? "int n, int m, " : ""},
                                                 {"GIVEN ", symbols ? "n, m, " : ""},
                                                 {"EXTENT_N", symbols ? "n" : "40"},
                                                 {"EXTENT_M", symbols ? "m" : "23"}});
    Generate(kNoRules, calls, threads);
  }

  // One with all that there is, and one that has few threads and registers of a block.
  Outcome RunOnBoth(const std::vector<std::string>& environment = {}) {
    return RunEach(environment, {{"--machine", "1024,65536,49152,132/64,16384,49152,4"}})[0];
  }

  static std::vector<int64_t> Launches(const Outcome& outcome) {
    std::vector<int64_t> launches;
    for (const absl::string_view line : absl::StrSplit(outcome.counts, '\n')) {
      const std::vector<absl::string_view> words = absl::StrSplit(line, ' ');
      if (words[0] != "device_launches") continue;
      for (size_t i = 1; i < words.size(); ++i) {
        int64_t number = 0;
        if (absl::SimpleAtoi(words[i], &number)) launches.push_back(number);
      }
    }
    return launches;
  }

  bool fixed_ = false;  // sizes are part of the program
};

TEST_F(TwoDevices, FilesWithCasesRunOnTheCurrentOne) {
  GenerateFor({"--cases"}, 6, 1);
  EXPECT_THAT(Launches(RunOnBoth()), ::testing::ElementsAre(3, 3));
  GenerateFor({"--cases"}, 12, 2, /*threads=*/3);
  EXPECT_THAT(Launches(RunOnBoth()), ::testing::ElementsAre(18, 18));
}

// The second one takes no more than 64 threads of a block, which no code for one size is made for here.
TEST_F(TwoDevices, MemoryOfTunedFilesIsOfTheCurrentOne) {
  fixed_ = true;
  GenerateFor({"--arch", "sm_90"}, 6, 1);
  const Outcome outcome = RunEach({}, {{"--machine", "1024,65536,49152,132/1024,65536,49152,4"}})[0];
  EXPECT_THAT(Launches(outcome), AllOf(SizeIs(2), Each(Gt(0))));
  // Two arrays on each device, which stay there.
  EXPECT_THAT(outcome.counts, AllOf(HasSubstr("allocations 4\n"), HasSubstr("frees 0\n")));
}

TEST_F(TwoDevices, LibtuneTunesForEach) {
  GenerateFor({"--cases", "--online"}, 800, 4);
  const Outcome outcome = RunOnBoth();
  EXPECT_THAT(Launches(outcome), AllOf(SizeIs(2), Each(Gt(0))));
  EXPECT_THAT(Wisdom(), AllOf(HasSubstr("simulated GPU%2c"), HasSubstr("simulated GPU 1%2c")));
}

TEST_F(TwoDevices, ThreadsTuneForTheirs) {
  GenerateFor({"--cases", "--online"}, 60, 3, /*threads=*/3);
  EXPECT_THAT(Launches(RunOnBoth({"TUNE_CHECK=1"})), AllOf(SizeIs(2), Each(Gt(0))));
}

TEST_F(TwoDevices, PartsRunOnTheCurrentOne) {
  GenerateFor({"--target", "cpu+cuda", "--parts", "gpu:2,cpu:1"}, 6, 1);
  EXPECT_THAT(Launches(RunOnBoth()), ::testing::ElementsAre(3, 3));
  GenerateFor({"--target", "cpu+cuda", "--online"}, 400, 4);
  EXPECT_THAT(Launches(RunOnBoth()), AllOf(SizeIs(2), Each(Gt(0))));
}

}  // namespace
}  // namespace tune
