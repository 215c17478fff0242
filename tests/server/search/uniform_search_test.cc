#include "server/search/uniform_search.h"

#include <gtest/gtest.h>

#include <map>

#include "common/decision/configuration.h"
#include "tests/server/search/search_runs.h"
#include "tests/server/search/synthetic_space.h"

namespace tune {
namespace {

// Decisions d0 and, of as many options as d0 says, d1: 1 + 2 + 3 + 4 = 10 walks, the default among them.
class LopsidedSpace : public Space {
 public:
  explicit LopsidedSpace(bool counted) : counted_(counted) {}

  absl::Status Walk(Chooser& chooser) override {
    DecisionPoint first{"d0", {"1", "2", "3", "4"}, {true, true, true, true}, 0};
    if (counted_) first.walks = {1, 2, 3, 4};
    TUNE_ASSIGN_OR_RETURN(const int d0, chooser.Choose(first));
    DecisionPoint second{"d1", {"1", "2", "3", "4"}, {true, d0 > 0, d0 > 1, d0 > 2}, 0};
    if (counted_) second.walks = {second.allowed.begin(), second.allowed.end()};
    return chooser.Choose(second).status();
  }

 private:
  const bool counted_;
};

// How often each walk is the first after the default, in 3,600 searches: 400 times where all are equally
// likely, with a standard deviation of 19.
std::map<std::string, int> FirstDraws(const std::string& strategy, bool counted) {
  std::map<std::string, int> times;
  for (uint64_t seed = 0; seed < 3'600; ++seed) {
    LopsidedSpace space(counted);
    const Proposals proposals = MakeStrategy(Options(strategy, seed), &space).value()->Propose(2);
    ++times[PrintConfiguration(proposals.candidates[1].configuration)];
  }
  return times;
}

TEST(UniformSearch, WalksOfACountedSpaceAreEquallyLikely) {
  const std::map<std::string, int> times = FirstDraws("uniform", /*counted=*/true);
  ASSERT_EQ(times.size(), 9u);
  for (const auto& [walk, count] : times) EXPECT_NEAR(count, 400, 80) << walk;
}

TEST(UniformSearch, WalksOfAnyOtherSpaceNearlySo) {
  const std::map<std::string, int> times = FirstDraws("uniform", /*counted=*/false);
  ASSERT_EQ(times.size(), 9u);
  for (const auto& [walk, count] : times) EXPECT_NEAR(count, 400, 80) << walk;
  EXPECT_GT(FirstDraws("random", /*counted=*/false).at("d0 = 2\nd1 = 1\n"), 520)
      << "by decision a third of the walks has d0 = 2, and half of these d1 = 1";
}

}  // namespace
}  // namespace tune
