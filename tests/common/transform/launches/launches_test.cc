#include "common/transform/launches/launches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/transform/loads_ahead/loads_ahead.h"
#include "tests/common/testing/device_models.h"

namespace tune {
namespace {

using ::testing::ElementsAre;

// One kernel below host loops, of 256 threads a block.
Kernel KernelOfLaunches(const std::vector<int64_t>& trip_counts, int host_depth = 1) {
  Kernel kernel;
  kernel.name = "k@1";
  kernel.host_depth = host_depth;
  KernelBand band;
  band.trip_counts = trip_counts;
  band.coincident.assign(trip_counts.size(), true);
  kernel.bands = {band};
  return kernel;
}

std::vector<KernelPlan> PlansOf256Threads() {
  KernelPlan plan;
  plan.name = "k@1";
  plan.threads.axes = {{0, 256, 256}};
  return {plan};
}

struct OfferedForms : Chooser {
  absl::StatusOr<int> Choose(const DecisionPoint& point) override {
    std::string& chosen = point.key == "launches" ? standard : inner;
    chosen = point.options[point.default_option];
    for (size_t i = 0; i < point.options.size(); ++i) {
      if (point.allowed[i] && point.key == "launches") possible.push_back(point.options[i]);
    }
    return point.default_option;
  }
  std::vector<std::string> possible;  // of "launches"
  std::string standard, inner;        // of "launches" and "inner_launches"; empty: not asked
};

OfferedForms AskOf(const Kernel& kernel, std::vector<KernelPlan> plans,
                   const DeviceFacts& device = testing::H200Options().device) {
  OfferedForms offered;
  Decisions together;
  EXPECT_TRUE(
      tune::Launches().DecideTogether({{kernel}, device, plans, together}, offered, &plans, &together).ok());
  return offered;
}

OfferedForms AskOf(const Kernel& kernel, const DeviceFacts& device = testing::H200Options().device) {
  return AskOf(kernel, PlansOf256Threads(), device);
}

TEST(LaunchForms, SmallLaunchesRunInOne) {
  EXPECT_EQ(AskOf(KernelOfLaunches({1000})).standard, "one_block");
  EXPECT_EQ(AskOf(KernelOfLaunches({300, 300})).standard, "grid");
}

// One launch for all would leave a thread too few registers.
TEST(LaunchForms, WhatLoadsAheadHasLaunchesOfItsOwn) {
  std::vector<KernelPlan> plans = PlansOf256Threads();
  plans[0].Set(LoadsAhead{16});
  EXPECT_EQ(AskOf(KernelOfLaunches({300, 300}), plans).standard, "graph");
  EXPECT_EQ(AskOf(KernelOfLaunches({1000}), plans).standard, "graph");
}

TEST(LaunchForms, LargeLaunchesOfHostLoopsAreAGraph) {
  EXPECT_EQ(AskOf(KernelOfLaunches({3000, 3000})).standard, "graph");
}

TEST(LaunchForms, WhatIsLargeDependsOnTheDevice) {
  DeviceFacts device = testing::H200Options().device;
  device.multiprocessors = 20;
  EXPECT_EQ(AskOf(KernelOfLaunches({300, 300}), device).standard, "graph");
  EXPECT_EQ(AskOf(KernelOfLaunches({200, 200}), device).standard, "grid");
  device.max_threads_per_block = 256;
  EXPECT_EQ(AskOf(KernelOfLaunches({100, 100}), device).standard, "grid");
}

TEST(LaunchForms, OneBlockIsNotForMuchWork) {
  EXPECT_THAT(AskOf(KernelOfLaunches({1000, 1000})).possible,
              ElementsAre("separate", "one_block", "grid", "graph"));
  EXPECT_THAT(AskOf(KernelOfLaunches({2000, 1000})).possible, ElementsAre("separate", "grid", "graph"));
}

TEST(LaunchForms, BlocksWaitForEachOtherOnlyWhereTheDeviceHasThat) {
  DeviceFacts device = testing::H200Options().device;
  device.cooperative_launch = false;
  EXPECT_THAT(AskOf(KernelOfLaunches({300, 300}), device).possible,
              ElementsAre("separate", "one_block", "graph"));
  EXPECT_EQ(AskOf(KernelOfLaunches({300, 300}), device).standard, "graph");
  EXPECT_EQ(AskOf(KernelOfLaunches({1000}), device).standard, "one_block");
}

TEST(LaunchForms, ThreadsOfAllAreAsManyAsTheDeviceAllows) {
  DeviceFacts device = testing::H200Options().device;
  EXPECT_EQ(CommonThreads(PlansOf256Threads(), device), 1024);
  device.max_threads_per_block = 512;
  EXPECT_EQ(CommonThreads(PlansOf256Threads(), device), 512);
}

// A product below one loop of the host, and another kernel in a loop inside of it.
OfferedForms AskOfInner(const std::vector<int64_t>& trip_counts, int host_depth = 2) {
  const std::vector<Kernel> kernels = {KernelOfLaunches({3000, 3000}),
                                       KernelOfLaunches(trip_counts, host_depth)};
  std::vector<KernelPlan> plans = PlansOf256Threads();
  plans.push_back(plans[0]);
  OfferedForms offered;
  Decisions together;
  const DeviceFacts device = testing::H200Options().device;
  EXPECT_TRUE(
      tune::Launches().DecideTogether({kernels, device, plans, together}, offered, &plans, &together).ok());
  EXPECT_EQ(together.Get<LaunchForm>().Merges(kernels[1]), offered.inner == "one_block");
  EXPECT_FALSE(together.Get<LaunchForm>().Merges(kernels[0]));
  return offered;
}

TEST(LaunchForms, SmallLaunchesOfInnerLoopsRunInOneBlock) {
  EXPECT_EQ(AskOfInner({64, 64}).standard, "graph");
  EXPECT_EQ(AskOfInner({64, 64}).inner, "one_block");
  EXPECT_EQ(AskOfInner({300, 300}).inner, "apart");
  EXPECT_EQ(AskOfInner({2000, 1000}).inner, "");
  EXPECT_EQ(AskOfInner({64, 64}, /*host_depth=*/1).inner, "");
}

TEST(LaunchForms, NothingIsAskedForOneLaunch) {
  EXPECT_THAT(AskOf(KernelOfLaunches({1000}, 0)).possible, ElementsAre());
}

}  // namespace
}  // namespace tune
