#include "common/transform/joined_launches/joined_launches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/transform/launches/launches.h"
#include "common/transform/row_pieces/row_pieces.h"
#include "common/transform/shared_memory/shared_memory.h"
#include "tests/common/testing/device_models.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Asked : Chooser {
  absl::StatusOr<int> Choose(const DecisionPoint& point) override {
    for (size_t i = 0; i < point.options.size(); ++i) {
      if (point.allowed[i]) possible.push_back(point.options[i]);
    }
    standard = point.options[point.default_option];
    return chosen < 0 ? point.default_option : chosen;
  }
  int chosen = -1;
  std::vector<std::string> possible;
  std::string standard;
};

struct Subject {
  // A kernel of so many threads.
  void Add(int group, int64_t threads, int host_depth = 0, bool shared = false) {
    Kernel kernel;
    kernel.launch_group = group;
    kernel.host_depth = host_depth;
    kernels.push_back(kernel);
    KernelPlan plan;
    plan.threads.axes = {{0, threads, threads}};
    plan.Set(SharedTiles{shared});
    plans.push_back(plan);
  }
  std::set<int> Decide() {
    const DeviceFacts device = testing::H200Options().device;
    EXPECT_TRUE(
        JoinedLaunches().DecideTogether({kernels, device, plans, together}, asked, &plans, &together).ok());
    return together.Get<JoinedGroups>().groups;
  }

  std::vector<Kernel> kernels;
  std::vector<KernelPlan> plans;
  Decisions together;
  Asked asked;
};

TEST(JoinedLaunches, GroupsOutsideOfLoopsAreJoined) {
  Subject subject;
  subject.Add(0, 256);
  subject.Add(0, 32);
  subject.Add(1, 256);
  subject.Add(2, 64, /*host_depth=*/1);
  subject.Add(2, 64, /*host_depth=*/1);
  EXPECT_THAT(subject.Decide(), ElementsAre(0));
  EXPECT_EQ(subject.asked.standard, "outside_loops");
  EXPECT_THAT(subject.asked.possible, ElementsAre("apart", "outside_loops", "together"));
  subject.asked.chosen = 2;
  EXPECT_THAT(subject.Decide(), ElementsAre(0, 2));
  EXPECT_TRUE(subject.together.Get<JoinedGroups>().Joins(subject.kernels[0]));
  EXPECT_FALSE(subject.together.Get<JoinedGroups>().Joins(subject.kernels[2]));
}

TEST(JoinedLaunches, GroupsInLoopsAreNotByDefault) {
  Subject subject;
  subject.Add(0, 64, /*host_depth=*/1);
  subject.Add(0, 64, /*host_depth=*/1);
  EXPECT_THAT(subject.Decide(), IsEmpty());
  EXPECT_THAT(subject.asked.possible, ElementsAre("apart", "together"));
}

TEST(JoinedLaunches, LoadsAlongRowsAreApart) {
  Subject subject;
  for (const int group : {0, 0, 1, 1}) subject.Add(group, 8);
  for (const size_t i : {0, 1, 2}) subject.plans[i].Set(RowPieces{true});
  EXPECT_THAT(subject.Decide(), ElementsAre(1));
  EXPECT_THAT(subject.asked.possible, ElementsAre("apart", "outside_loops", "together"));
  subject.asked.chosen = 2;
  EXPECT_THAT(subject.Decide(), ElementsAre(0, 1));
}

TEST(JoinedLaunches, KernelsWithBarriersNeedBlocksOfOneSize) {
  Subject subject;
  subject.Add(0, 256);
  subject.Add(0, 128, 0, /*shared=*/true);
  EXPECT_THAT(subject.Decide(), IsEmpty());
  EXPECT_THAT(subject.asked.possible, IsEmpty());
  subject.Add(1, 128);
  subject.Add(1, 128, 0, /*shared=*/true);
  EXPECT_THAT(subject.Decide(), ElementsAre(1));
}

TEST(JoinedLaunches, ThereIsNothingToJoinWhereOneLaunchRunsAll) {
  Subject subject;
  subject.Add(0, 256);
  subject.Add(0, 256);
  subject.together.Set(LaunchForm{LaunchForm::kGrid});
  EXPECT_THAT(subject.Decide(), IsEmpty());
  EXPECT_THAT(subject.asked.possible, IsEmpty());
}

}  // namespace
}  // namespace tune
