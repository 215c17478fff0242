#include "common/transform/block_order/block_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/decision/configuration.h"
#include "common/transform/launches/launches.h"
#include "tests/common/testing/device_models.h"
#include "tests/worker/codegen/setting_chooser.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Kernels "k0", "k1", ... below host loops, with so many iterations of 8 bytes each.
struct Sweeps {
  std::vector<Kernel> kernels;
  std::vector<KernelPlan> plans;
  Decisions together;
};

Sweeps MakeSweeps(const std::vector<int64_t>& points, int host_depth = 1) {
  Sweeps sweeps;
  sweeps.together.Set(LaunchForm{LaunchForm::kGraph});
  for (const int64_t count : points) {
    Kernel kernel;
    kernel.name = absl::StrCat("k", sweeps.kernels.size());
    kernel.host_depth = host_depth;
    KernelBand band;
    band.trip_counts = {2, count / 2};
    kernel.bytes_of_iteration = 8;
    band.coincident = {true, true};
    kernel.bands = {band};
    sweeps.kernels.push_back(kernel);
    sweeps.plans.emplace_back().name = kernel.name;
  }
  return sweeps;
}

absl::Status Decide(Chooser& chooser, Sweeps* sweeps) {
  const DeviceFacts device = testing::H200Options().device;
  return OrderOfBlocks().DecideTogether({sweeps->kernels, device, sweeps->plans, sweeps->together}, chooser,
                                        &sweeps->plans, &sweeps->together);
}

std::vector<std::string> QuestionsOf(Sweeps sweeps) {
  DefaultChooser standard;
  RecordingChooser asked(&standard);
  EXPECT_TRUE(Decide(asked, &sweeps).ok());
  std::vector<std::string> questions;
  for (const v1::Decision& decision : asked.configuration().decisions())
    questions.push_back(absl::StrCat(decision.key(), "=", decision.option()));
  return questions;
}

constexpr int64_t kMany = (45 << 20) / 8 + 2;  // of three quarters of an H200's cache

TEST(OrderOfBlocks, EachLaunchTurnsRoundAfterTheOneBefore) {
  EXPECT_THAT(QuestionsOf(MakeSweeps({kMany, kMany})),
              ElementsAre("k0.block_order=forward", "k1.block_order=backward"));
}

TEST(OrderOfBlocks, OverTheIterationsWhereTheirNumberIsOdd) {
  EXPECT_THAT(QuestionsOf(MakeSweeps({kMany})), ElementsAre("k0.block_order=alternating"));
  EXPECT_THAT(QuestionsOf(MakeSweeps({kMany, kMany, kMany})),
              ElementsAre("k0.block_order=alternating", "k1.block_order=alternating_backward",
                          "k2.block_order=alternating"));
}

TEST(OrderOfBlocks, WhatFitsTheCacheIsNotAsked) {
  EXPECT_THAT(QuestionsOf(MakeSweeps({kMany - 2, kMany})), ElementsAre("k1.block_order=backward"));
}

TEST(OrderOfBlocks, OneSweepIsNotAsked) { EXPECT_THAT(QuestionsOf(MakeSweeps({kMany}, 0)), IsEmpty()); }

TEST(OrderOfBlocks, OneLaunchOfAllHasAnOrderOfItsOwn) {
  Sweeps sweeps = MakeSweeps({kMany});
  sweeps.together.Set(LaunchForm{LaunchForm::kGrid});
  EXPECT_THAT(QuestionsOf(sweeps), IsEmpty());
}

TEST(OrderOfBlocks, ThePlanGetsWhatIsChosen) {
  Sweeps sweeps = MakeSweeps({kMany, kMany});
  const std::map<std::string, std::string> settings = {{"k1.block_order", "alternating_backward"}};
  testing::SettingChooser chooser(settings);
  ASSERT_TRUE(Decide(chooser, &sweeps).ok());
  EXPECT_EQ(sweeps.plans[0].Get<SweepOrder>().order, BlockOrder::kForward);
  EXPECT_EQ(sweeps.plans[1].Get<SweepOrder>().order, BlockOrder::kAlternatingBackward);
}

}  // namespace
}  // namespace tune
