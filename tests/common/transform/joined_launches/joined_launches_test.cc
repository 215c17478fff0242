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
  void Add(int group, int64_t threads, int host_depth = 0, bool shared = false, int64_t values = 1) {
    Kernel kernel;
    kernel.name = absl::StrCat("k", kernels.size());
    KernelBand& band = kernel.bands.emplace_back();
    band.coincident = {true};
    band.trip_counts = {values};
    kernel.launch_group = group;
    kernel.host_depth = host_depth;
    kernels.push_back(kernel);
    KernelPlan plan;
    plan.threads.axes = {{0, threads, threads}};
    plan.Set(SharedTiles{shared});
    plans.push_back(plan);
  }
  std::set<int> Decide() {
    asked.possible.clear();
    together.Set(JoinedGroups());
    for (KernelPlan& plan : plans) plan.Set(JoinedKernel());
    const DeviceFacts device = testing::H200Options().device;
    EXPECT_TRUE(
        JoinedLaunches().DecideTogether({kernels, device, plans, together}, asked, &plans, &together).ok());
    std::set<int> groups;
    for (size_t i = 0; i < kernels.size(); ++i) {
      const bool joins = together.Get<JoinedGroups>().Joins(kernels[i]);
      EXPECT_EQ(plans[i].Get<JoinedKernel>().on, joins);
      if (joins) groups.insert(kernels[i].launch_group);
    }
    return groups;
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
  for (int i = 0; i < 2; ++i) subject.Add(2, 64, /*host_depth=*/1, /*shared=*/false, /*values=*/1 << 20);
  EXPECT_THAT(subject.Decide(), ElementsAre(0));
  EXPECT_EQ(subject.asked.standard, "outside_loops");
  EXPECT_THAT(subject.asked.possible, ElementsAre("apart", "outside_loops", "together"));
  subject.asked.chosen = 3;
  EXPECT_THAT(subject.Decide(), ElementsAre(0, 2));
  EXPECT_TRUE(subject.together.Get<JoinedGroups>().Joins(subject.kernels[0]));
  EXPECT_FALSE(subject.together.Get<JoinedGroups>().Joins(subject.kernels[2]));
}

// Where the device holds all threads of each kernel at once: 132 times 2048.
TEST(JoinedLaunches, SmallGroupsInLoopsAreJoined) {
  for (const bool small : {true, false}) {
    Subject subject;
    for (const int64_t values : {64, small ? 132 * 2048 : 132 * 2048 + 1})
      subject.Add(0, 64, /*host_depth=*/1, /*shared=*/false, values);
    EXPECT_EQ(subject.Decide().size(), small ? 1u : 0u);
    EXPECT_THAT(subject.asked.possible, ElementsAre("apart", "together"));
    EXPECT_EQ(subject.asked.standard, small ? "together" : "apart");
    for (int i = 0; i < 2; ++i) subject.Add(1, 64, /*host_depth=*/1, /*shared=*/false, small ? 1 << 20 : 64);
    EXPECT_THAT(subject.Decide(), ElementsAre(small ? 0 : 1));
    EXPECT_THAT(subject.asked.possible, ElementsAre("apart", "small", "together"));
    EXPECT_EQ(subject.asked.standard, "small");
  }
}

TEST(JoinedLaunches, SmallGroupsThatShareArraysAreJoined) {
  for (const bool small : {true, false}) {
    Subject subject;
    for (const int64_t values : {64, small ? 132 * 2048 : 132 * 2048 + 1}) {
      subject.Add(0, 64, /*host_depth=*/0, /*shared=*/false, values);
      subject.kernels.back().shares_arrays = true;
    }
    EXPECT_EQ(subject.Decide().size(), small ? 1u : 0u);
    EXPECT_THAT(subject.asked.possible, ElementsAre("apart", "together"));
    EXPECT_EQ(subject.asked.standard, small ? "together" : "apart");
  }
}

TEST(JoinedLaunches, GroupsOfUnknownSizeInLoopsAreApart) {
  Subject subject;
  subject.Add(0, 64, /*host_depth=*/1);
  subject.Add(0, 64, /*host_depth=*/1, /*shared=*/false, /*values=*/-1);
  EXPECT_THAT(subject.Decide(), IsEmpty());
}

TEST(JoinedLaunches, LoadsAlongRowsAreApart) {
  Subject subject;
  for (const int group : {0, 0, 1, 1}) subject.Add(group, 8);
  for (const size_t i : {0, 1, 2}) subject.plans[i].Set(RowPieces{true});
  EXPECT_THAT(subject.Decide(), ElementsAre(1));
  EXPECT_THAT(subject.asked.possible, ElementsAre("apart", "outside_loops", "together"));
  subject.asked.chosen = 3;
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
