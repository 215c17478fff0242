// Texts of scops, changed at random, as a stranger may send them. Environment: TUNE_HOSTILE_SCOPS, how many
// (4000); TUNE_HOSTILE_FIRST, the seed of the first (1), so that parts can run beside one another.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "absl/strings/numbers.h"
#include "common/scop/scop.h"
#include "common/scop/scop_identity.h"
#include "tests/common/testing/mutated_scop.h"

namespace tune {
namespace {

using testing::MutatedScop;

constexpr int kBatch = 200;  // scops of one child process

// What a server does with a scop before it knows better.
void Read(const v1::Scop& scop) {
  IdentifyScop(scop);
  IslContext context({.operations = 1'000'000, .processor_time = absl::Seconds(10)});
  ParseScop(context, scop).IgnoreError();
}

// Reads the scops of the seeds in a child process, which may die; each seed is told before it is begun.
void ReadInChild(uint64_t first, uint64_t count) {
  int seeds[2];
  ASSERT_EQ(pipe(seeds), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    close(seeds[0]);
    (void)!freopen("/dev/null", "w", stderr);  // isl says what it thinks of each
    for (uint64_t seed = first; seed < first + count; ++seed) {
      if (write(seeds[1], &seed, sizeof seed) != sizeof seed) _exit(1);
      Read(MutatedScop(seed));
    }
    _exit(0);
  }
  close(seeds[1]);
  uint64_t last = 0, seed = 0;
  while (read(seeds[0], &seed, sizeof seed) == sizeof seed) last = seed;
  close(seeds[0]);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0)
      << "seed " << last << ": status " << status << "\n"
      << MutatedScop(last).DebugString();
}

// What the variable says; `value` where it is not set.
uint64_t Given(const char* variable, uint64_t value) {
  const char* const given = std::getenv(variable);
  EXPECT_TRUE(given == nullptr || absl::SimpleAtoi(given, &value)) << variable << ": " << given;
  return value;
}

TEST(HostileScop, DoesNotEndTheProcess) {
  const uint64_t first = Given("TUNE_HOSTILE_FIRST", 1), end = first + Given("TUNE_HOSTILE_SCOPS", 4000);
  for (uint64_t seed = first; seed < end; seed += kBatch)
    ReadInChild(seed, std::min<uint64_t>(kBatch, end - seed));
}

}  // namespace
}  // namespace tune
