#include "common/space/ppcg_space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/decision/configuration.h"
#include "tests/common/testing/random_chooser.h"
#include "tests/common/testing/sample_scops.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

PpcgShapes Fixed(const std::vector<PpcgKernelShape>& shapes) {
  return [shapes](const PpcgSchedulePlan&) { return shapes; };
}

TEST(PpcgSpace, DefaultsArePpcgsOwn) {
  DefaultChooser chooser;
  const PpcgPlan plan =
      WalkPpcg(nullptr, Fixed({{1, 1, 1}, {3, 2, 2}, {3, 2, 3}, {2, 1, 1}, {0, 0, 0}}), {}, chooser).value();
  EXPECT_FALSE(plan.schedule.feautrier || plan.schedule.serialize_sccs);
  EXPECT_TRUE(plan.schedule.maximize_band_depth && plan.schedule.outer_coincidence);
  EXPECT_EQ(plan.schedule.loaded, nullptr);
  ASSERT_EQ(plan.kernels.size(), 5);
  EXPECT_THAT(plan.kernels[0].tile, ElementsAre(32));
  EXPECT_THAT(plan.kernels[0].grid, ElementsAre(32768));
  // PPCG's 512, of which a tile of 32 uses no more.
  EXPECT_THAT(plan.kernels[0].block, ElementsAre(32));
  EXPECT_THAT(plan.kernels[1].tile, ElementsAre(32, 32, 32));
  EXPECT_THAT(plan.kernels[1].grid, ElementsAre(256, 256));
  EXPECT_THAT(plan.kernels[1].block, ElementsAre(32, 16));
  EXPECT_THAT(plan.kernels[2].tile, ElementsAre(32, 32, 32));
  EXPECT_THAT(plan.kernels[2].block, ElementsAre(32, 4, 4));
  EXPECT_THAT(plan.kernels[3].tile, ElementsAre(32, 32));
  EXPECT_THAT(plan.kernels[4].tile, IsEmpty());
  EXPECT_TRUE(plan.shared_memory && plan.private_memory);
  EXPECT_EQ(plan.max_shared_bytes, 8192);
  EXPECT_FALSE(plan.unroll_copy_shared || plan.unroll_gpu_tile);
}

TEST(PpcgSpace, RandomPlansKeepTheLimitsAndReplay) {
  const std::vector<PpcgKernelShape> shapes = {{1, 1, 1}, {2, 2, 2}, {3, 2, 2},
                                               {3, 2, 3}, {4, 2, 3}, {0, 0, 0}};
  std::set<std::string> schedules;
  for (uint64_t seed = 1; seed <= 500; ++seed) {
    testing::RandomChooser random(seed);
    RecordingChooser recording(&random);
    const auto plan = WalkPpcg(nullptr, Fixed(shapes), {}, recording);
    ASSERT_TRUE(plan.ok()) << plan.status();
    schedules.insert(plan->schedule.Key());
    for (size_t k = 0; k < shapes.size(); ++k) {
      const PpcgKernelPlan& kernel = plan->kernels[k];
      ASSERT_EQ(kernel.tile.size(), shapes[k].tile);
      ASSERT_EQ(kernel.block.size(), shapes[k].block);
      int64_t threads = 1;
      for (size_t i = 0; i < kernel.block.size(); ++i) {
        EXPECT_EQ(kernel.tile[i] % kernel.block[i], 0);
        threads *= kernel.block[i];
      }
      EXPECT_LE(threads, 1024);
      if (kernel.block.size() == 3) {
        EXPECT_LE(kernel.block[0], 64);
      }
    }
    ReplayChooser replay(recording.configuration());
    const auto again = WalkPpcg(nullptr, Fixed(shapes), {}, replay);
    ASSERT_TRUE(again.ok()) << again.status();
    EXPECT_TRUE(replay.CheckAllUsed().ok());
    for (size_t k = 0; k < shapes.size(); ++k) EXPECT_EQ(again->kernels[k].tile, plan->kernels[k].tile);
  }
  EXPECT_EQ(schedules.size(), 12);
}

TEST(PpcgSpace, ASmallDevicesLimitsAreKept) {
  PpcgSpaceOptions options;
  options.max_threads = 64;
  options.max_shared_bytes = 16384;
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    testing::RandomChooser random(seed);
    const PpcgPlan plan = WalkPpcg(nullptr, Fixed({{3, 2, 3}}), options, random).value();
    EXPECT_LE(plan.kernels[0].block[0] * plan.kernels[0].block[1] * plan.kernels[0].block[2], 64);
    EXPECT_LE(plan.max_shared_bytes, 16384);
  }
}

TEST(PpcgSpace, ShapesErrorEndsTheWalk) {
  DefaultChooser chooser;
  const auto plan = WalkPpcg(
      nullptr, [](const PpcgSchedulePlan&) { return absl::InvalidArgumentError("no kernels"); }, {}, chooser);
  EXPECT_EQ(plan.status(), absl::InvalidArgumentError("no kernels"));
}

TEST(PpcgSpace, TheBuiltinScheduleBringsItsOwnDecisions) {
  const std::map<std::string, int64_t> values = {{"ni", 40}, {"nj", 50}, {"nk", 60}};
  const auto schedules =
      ScheduleSpace::Make(WithParameterFacts(testing::GemmScop(), values), values, {}).value();
  ReplayChooser replay(ParseConfiguration("ppcg.schedule = builtin\n"
                                          "schedule.algorithm = pluto\n"
                                          "schedule.serialize_sccs = off\n"
                                          "schedule.maximize_band_depth = on\n"
                                          "ppcg.shared_memory = off\n"
                                          "ppcg.private_memory = on\n"
                                          "ppcg.unroll_gpu_tile = off\n")
                           .value());
  const auto plan = WalkPpcg(schedules.get(), Fixed({}), {}, replay);
  ASSERT_TRUE(plan.ok()) << plan.status();
  ASSERT_NE(plan->schedule.loaded, nullptr);
  EXPECT_EQ(plan->schedule.Key(), plan->schedule.loaded->fingerprint);
}

}  // namespace
}  // namespace tune
