#include "common/dependence/reachability.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(ReachabilityTest, AllAfterTakesAnyNumberOfSteps) {
  const Successors successors = {{"S0", {"S1", "S2"}}, {"S2", {"S3"}}};
  EXPECT_THAT(AllAfter({"S0"}, successors), ElementsAre("S1", "S2", "S3"));
  EXPECT_THAT(AllAfter({"S1", "S2"}, successors), ElementsAre("S3"));
  EXPECT_THAT(AllAfter({"S3"}, successors), IsEmpty());
  EXPECT_THAT(AllAfter({}, successors), IsEmpty());
}

TEST(ReachabilityTest, ANameFollowsItselfOnlyOnACycle) {
  const Successors successors = {{"S0", {"S1"}}, {"S1", {"S2"}}, {"S2", {"S1"}}};
  EXPECT_THAT(AllAfter({"S0"}, successors), ElementsAre("S1", "S2"));
  EXPECT_THAT(AllAfter({"S1"}, successors), ElementsAre("S1", "S2"));
}

}  // namespace
}  // namespace tune
