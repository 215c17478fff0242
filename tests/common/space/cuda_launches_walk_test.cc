#include "common/space/cuda_launches_walk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/common/testing/device_models.h"

namespace tune {
namespace {

using ::testing::ElementsAre;

// One kernel below host loops, of 256 threads a block.
CudaPlan PlanOfLaunches(const std::vector<int64_t>& trip_counts, int host_depth = 1) {
  Kernel kernel;
  kernel.name = "k@1";
  kernel.host_depth = host_depth;
  KernelBand band;
  band.trip_counts = trip_counts;
  band.coincident.assign(trip_counts.size(), true);
  kernel.bands = {band};
  auto scheduled = std::make_shared<ScheduledScop>();
  scheduled->kernels = {kernel};
  CudaPlan plan;
  plan.scheduled = scheduled;
  CudaKernelPlan threads;
  threads.name = "k@1";
  threads.axes = {{0, 256, 256}};
  plan.kernels = {threads};
  return plan;
}

struct Offered : Chooser {
  absl::StatusOr<int> Choose(const DecisionPoint& point) override {
    for (size_t i = 0; i < point.options.size(); ++i) {
      if (point.allowed[i]) possible.push_back(point.options[i]);
    }
    standard = point.options[point.default_option];
    return point.default_option;
  }
  std::vector<std::string> possible;
  std::string standard;
};

Offered Ask(CudaPlan plan, const DeviceFacts& device = testing::H200Options().device) {
  Offered offered;
  EXPECT_TRUE(ChooseLaunches(device, offered, plan).ok());
  return offered;
}

TEST(CudaLaunchesWalk, SmallLaunchesRunInOne) {
  EXPECT_EQ(Ask(PlanOfLaunches({1000})).standard, "one_block");
  EXPECT_EQ(Ask(PlanOfLaunches({300, 300})).standard, "grid");
}

TEST(CudaLaunchesWalk, LargeLaunchesOfHostLoopsAreAGraph) {
  EXPECT_EQ(Ask(PlanOfLaunches({3000, 3000})).standard, "graph");
}

TEST(CudaLaunchesWalk, OneBlockIsNotForMuchWork) {
  EXPECT_THAT(Ask(PlanOfLaunches({1000, 1000})).possible,
              ElementsAre("separate", "one_block", "grid", "graph"));
  EXPECT_THAT(Ask(PlanOfLaunches({2000, 1000})).possible, ElementsAre("separate", "grid", "graph"));
}

TEST(CudaLaunchesWalk, BlocksWaitForEachOtherOnlyWhereTheDeviceHasThat) {
  DeviceFacts device = testing::H200Options().device;
  device.cooperative_launch = false;
  EXPECT_THAT(Ask(PlanOfLaunches({300, 300}), device).possible,
              ElementsAre("separate", "one_block", "graph"));
  EXPECT_EQ(Ask(PlanOfLaunches({300, 300}), device).standard, "graph");
  EXPECT_EQ(Ask(PlanOfLaunches({1000}), device).standard, "one_block");
}

TEST(CudaLaunchesWalk, ThreadsOfAllAreAsManyAsTheDeviceAllows) {
  DeviceFacts device = testing::H200Options().device;
  EXPECT_EQ(CommonThreads(PlanOfLaunches({300}), device), 1024);
  device.max_threads_per_block = 512;
  EXPECT_EQ(CommonThreads(PlanOfLaunches({300}), device), 512);
}

TEST(CudaLaunchesWalk, NothingIsAskedForOneLaunch) {
  EXPECT_THAT(Ask(PlanOfLaunches({1000}, 0)).possible, ElementsAre());
}

}  // namespace
}  // namespace tune
