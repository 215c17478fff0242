// Random programs, tuned for both targets. Environment: TUNE_RANDOM_PROGRAMS, how many of them (60);
// TUNE_RANDOM_SEED, the first seed, which alone is run where no number is given.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "tests/common/testing/sanitized.h"
#include "tests/random_programs/program_check.h"

namespace tune {
namespace {

constexpr int kOfATest = 10;  // programs, compiled together
constexpr int kMostRefusedPercent = 10;

int64_t Environment(const char* name, int64_t standard) {
  const char* value = std::getenv(name);
  return value == nullptr ? standard : std::atoll(value);
}

int64_t FirstSeed() { return Environment("TUNE_RANDOM_SEED", 1); }
int64_t Programs() {
  const bool one = std::getenv("TUNE_RANDOM_SEED") != nullptr;
  return Environment("TUNE_RANDOM_PROGRAMS", one ? 1 : testing::kSanitized ? 20 : 60);
}

class RandomPrograms : public ::testing::TestWithParam<int64_t> {};

TEST_P(RandomPrograms, AgreeWithTheOriginal) {
  if (testing::kSanitizedThreads) GTEST_SKIP() << "the simulator has one thread";
  std::vector<uint64_t> seeds;
  for (int64_t i = GetParam(); i < std::min(GetParam() + kOfATest, Programs()); ++i)
    seeds.push_back(static_cast<uint64_t>(FirstSeed() + i));
  testing::CheckRandomPrograms(seeds);
}

// Each of these was once wrong, or without candidates: an iteration taken apart, fractions as values (of them
// one whose product goes below the smallest number), launches known only as what exists, reductions whose
// iterations write the elements that others update, or read what is written after them.
TEST(RandomProgramsThatFailed, AgreeWithTheOriginal) {
  if (testing::kSanitizedThreads) GTEST_SKIP() << "the simulator has one thread";
  testing::CheckRandomPrograms({530, 670, 850, 966, 1129, 1455, 1479, 1881, 1951});
}

INSTANTIATE_TEST_SUITE_P(From, RandomPrograms, ::testing::Range<int64_t>(0, Programs(), kOfATest));

// After all others of the process.
class FiguresEnvironment : public ::testing::Environment {
 public:
  void TearDown() override {
    const testing::CheckFigures& figures = testing::Figures();
    std::cout << figures.Text();
    if (figures.programs < kOfATest) return;
    EXPECT_LE(100 * figures.Refused(), kMostRefusedPercent * figures.programs) << "too many are refused";
  }
};

const auto* const kFigures = ::testing::AddGlobalTestEnvironment(new FiguresEnvironment);

}  // namespace
}  // namespace tune
