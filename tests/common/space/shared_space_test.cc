#include "common/space/shared_space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "common/base/random.h"
#include "common/decision/configuration.h"

namespace tune {
namespace {

using ::testing::ElementsAre;

class DrawingChooser : public Chooser {
 public:
  explicit DrawingChooser(uint64_t seed) : random_(seed) {}
  absl::StatusOr<int> Choose(const DecisionPoint& point) override {
    EXPECT_EQ(CountAllowed(point), point.options.size()) << point.key;
    return static_cast<int>(random_.Below(point.options.size()));
  }

 private:
  Random random_;
};

SharedPlan Replay(const std::string& text) {
  ReplayChooser chooser(ParseConfiguration(text).value());
  const auto plan = WalkShared(chooser);
  EXPECT_TRUE(plan.ok()) << plan.status();
  EXPECT_TRUE(chooser.CheckAllUsed().ok());
  return plan.value_or(SharedPlan());
}

TEST(SharedSpace, TheDefaultIsTheGpuAlone) {
  DefaultChooser chooser;
  const SharedPlan plan = WalkShared(chooser).value();
  EXPECT_EQ(plan.parts, "gpu");
  EXPECT_TRUE(plan.on_gpu && !plan.on_cpu && plan.format.of_tables);
}

TEST(SharedSpace, SharesAreOfWhatIsLeft) {
  const SharedPlan plan = Replay(
      "shared.division = cpu+gpu+cpu\nshared.share_1 = 20\nshared.share_2 = 75\nshared.threads = quarter\n"
      "shared.block = 16x8\nshared.points = 2\nshared.strip = 8\n");
  EXPECT_EQ(plan.parts, "cpu:20,gpu:60,cpu:20");
  EXPECT_EQ(plan.fewer_threads, 4);
  EXPECT_FALSE(plan.format.of_tables);
  EXPECT_EQ(plan.format.x, 16);
  EXPECT_EQ(plan.format.y, 8);
  EXPECT_EQ(plan.format.points, 2);
  EXPECT_EQ(plan.format.strip, 8);
}

// Each walk is replayed to the same plan; parts alternate, and all iterations belong to some part.
TEST(SharedSpace, WalksAreDivisions) {
  std::set<std::string> seen;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    DrawingChooser drawn(seed);
    RecordingChooser recorded(&drawn);
    const SharedPlan plan = WalkShared(recorded).value();
    EXPECT_TRUE(IsOfSharedSpace(recorded.configuration()));
    EXPECT_EQ(Replay(PrintConfiguration(recorded.configuration())).parts, plan.parts);
    seen.insert(recorded.configuration().decisions(0).option());
    EXPECT_EQ(plan.parts == "original", !plan.on_cpu && !plan.on_gpu);
    if (plan.parts == "original") continue;
    double sum = 0;
    std::string before;
    for (const absl::string_view part : absl::StrSplit(plan.parts, ',')) {
      const std::pair<std::string, std::string> words = absl::StrSplit(part, absl::MaxSplits(':', 1));
      double share = 100;
      ASSERT_TRUE(words.second.empty() || absl::SimpleAtod(words.second, &share)) << plan.parts;
      EXPECT_GT(share, 0) << plan.parts;
      EXPECT_NE(words.first, before) << plan.parts;
      before = words.first;
      sum += share;
    }
    EXPECT_NEAR(sum, 100, 1e-3) << plan.parts;
  }
  EXPECT_EQ(seen.size(), 9);
}

TEST(SharedSpace, SeedsAreTheOriginalTheCpuAndBoth) {
  std::vector<std::string> parts;
  for (const v1::Configuration& seed : SharedSeeds()) parts.push_back(Replay(PrintConfiguration(seed)).parts);
  EXPECT_THAT(parts, ElementsAre("original", "cpu", "cpu:50,gpu:50"));
  v1::Configuration other;
  EXPECT_FALSE(IsOfSharedSpace(other));
  other.add_decisions()->set_key("schedule.algorithm");
  EXPECT_FALSE(IsOfSharedSpace(other));
}

}  // namespace
}  // namespace tune
