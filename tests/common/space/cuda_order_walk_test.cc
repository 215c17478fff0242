#include "common/space/cuda_order_walk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/space/configuration.h"
#include "tests/common/testing/device_models.h"
#include "tests/worker/codegen/setting_chooser.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Kernels "k0", "k1", ... below host loops, with so many iterations of 8 bytes each.
CudaPlan PlanOfSweeps(const std::vector<int64_t>& points, int host_depth = 1) {
  auto scheduled = std::make_shared<ScheduledScop>();
  CudaPlan plan;
  plan.launches = CudaLaunches::kGraph;
  for (const int64_t count : points) {
    Kernel kernel;
    kernel.name = absl::StrCat("k", plan.kernels.size());
    kernel.host_depth = host_depth;
    KernelBand band;
    band.trip_counts = {2, count / 2};
    kernel.bytes_of_iteration = 8;
    band.coincident = {true, true};
    kernel.bands = {band};
    scheduled->kernels.push_back(kernel);
    plan.kernels.emplace_back().name = kernel.name;
  }
  plan.scheduled = scheduled;
  return plan;
}

std::vector<std::string> QuestionsOf(CudaPlan plan) {
  DefaultChooser standard;
  RecordingChooser asked(&standard);
  EXPECT_TRUE(ChooseBlockOrders(testing::H200Options().device, asked, plan).ok());
  std::vector<std::string> questions;
  for (const v1::Decision& decision : asked.configuration().decisions())
    questions.push_back(absl::StrCat(decision.key(), "=", decision.option()));
  return questions;
}

constexpr int64_t kMany = (45 << 20) / 8 + 2;  // of three quarters of an H200's cache

TEST(CudaOrderWalk, EachLaunchTurnsRoundAfterTheOneBefore) {
  EXPECT_THAT(QuestionsOf(PlanOfSweeps({kMany, kMany})),
              ElementsAre("k0.block_order=forward", "k1.block_order=backward"));
}

TEST(CudaOrderWalk, OverTheIterationsWhereTheirNumberIsOdd) {
  EXPECT_THAT(QuestionsOf(PlanOfSweeps({kMany})), ElementsAre("k0.block_order=alternating"));
  EXPECT_THAT(QuestionsOf(PlanOfSweeps({kMany, kMany, kMany})),
              ElementsAre("k0.block_order=alternating", "k1.block_order=alternating_backward",
                          "k2.block_order=alternating"));
}

TEST(CudaOrderWalk, WhatFitsTheCacheIsNotAsked) {
  EXPECT_THAT(QuestionsOf(PlanOfSweeps({kMany - 2, kMany})), ElementsAre("k1.block_order=backward"));
}

TEST(CudaOrderWalk, OneSweepIsNotAsked) { EXPECT_THAT(QuestionsOf(PlanOfSweeps({kMany}, 0)), IsEmpty()); }

TEST(CudaOrderWalk, OneLaunchOfAllHasAnOrderOfItsOwn) {
  CudaPlan plan = PlanOfSweeps({kMany});
  plan.launches = CudaLaunches::kGrid;
  EXPECT_THAT(QuestionsOf(plan), IsEmpty());
}

TEST(CudaOrderWalk, ThePlanGetsWhatIsChosen) {
  CudaPlan plan = PlanOfSweeps({kMany, kMany});
  const std::map<std::string, std::string> settings = {{"k1.block_order", "alternating_backward"}};
  testing::SettingChooser chooser(settings);
  ASSERT_TRUE(ChooseBlockOrders(testing::H200Options().device, chooser, plan).ok());
  EXPECT_EQ(plan.kernels[0].block_order, BlockOrder::kForward);
  EXPECT_EQ(plan.kernels[1].block_order, BlockOrder::kAlternatingBackward);
}

}  // namespace
}  // namespace tune
