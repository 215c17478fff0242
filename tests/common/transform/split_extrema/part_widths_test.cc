#include "common/transform/split_extrema/part_widths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/common/testing/device_models.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(PartWidthsTest, InnerLoopsAreSplitFirst) {
  const PartLimits limits{.least = 100, .most = 1024, .each = 4, .neighbours = 32, .joined = 32};
  EXPECT_THAT(PartsOfLoops({1000}, limits), ElementsAre(224)) << "250 in whole warps";
  EXPECT_THAT(PartsOfLoops({100000}, limits), ElementsAre(1024));
  EXPECT_THAT(PartsOfLoops({1000, 100}, limits), ElementsAre(10, 100));
  EXPECT_THAT(PartsOfLoops({100, 5000}, limits), ElementsAre(1, 1024));
  EXPECT_THAT(PartsOfLoops({10, 10}, limits), ElementsAre(2, 10));
  EXPECT_THAT(PartsOfLoops({99}, limits), IsEmpty());
  EXPECT_THAT(PartsOfLoops({1, 1}, {.least = 1}), IsEmpty());
}

TEST(PartWidthsTest, EachThreadOfADeviceHasAtMostOne) {
  for (const v1::Device& device : {testing::P100(), testing::T4(), testing::A100(), testing::H200()}) {
    const DeviceFacts facts = FactsOf(device);
    const std::vector<int64_t> parts = PartsOfLoops({1 << 30}, PartLimitsOf(facts));
    ASSERT_EQ(parts.size(), 1u);
    EXPECT_GT(parts[0], facts.multiprocessors * 128);
    EXPECT_LE(parts[0], facts.Threads());
  }
}

TEST(PartWidthsTest, StepsEndWithOnePart) {
  const PartLimits limits{.joined = 32};
  EXPECT_THAT(WidthsOfSteps(65536, limits), ElementsAre(2048, 64, 1));
  EXPECT_THAT(WidthsOfSteps(130, limits), ElementsAre(5, 1));
  EXPECT_THAT(WidthsOfSteps(64, limits), ElementsAre(1));
  EXPECT_THAT(WidthsOfSteps(1, limits), IsEmpty());
}

}  // namespace
}  // namespace tune
