#include "worker/lower/device_arrays.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/common/testing/scop_builder.h"

namespace tune {
namespace {

using ::testing::ElementsAre;

// The arrays of a scop with A[15][6], where the reference says that the program's has other extents.
absl::StatusOr<std::vector<DeviceArray>> ArraysFor(const std::vector<int64_t>& extents) {
  const v1::Scop scop = testing::ScopBuilder("merged", {}, "1 = 1")
                            .Array("A", {"15", "6"})
                            .Begin("t", "0 <= t < 15")
                            .Assign({"A", "t, 0"}, {}, testing::Literal("0.0"))
                            .End()
                            .Build();
  IslContext context;
  TUNE_ASSIGN_OR_RETURN(const auto parsed, ParseScop(context, scop));
  v1::Reference reference;
  v1::ArrayExtents* const known = reference.add_arrays();
  known->set_name("A");
  known->mutable_extents()->Add(extents.begin(), extents.end());
  return DeviceArrays(context, *parsed, reference);
}

TEST(DeviceArraysTest, TwoDimensionsThatAreOneInTheScop) {
  for (const std::vector<int64_t>& extents : {std::vector<int64_t>{3, 5, 6}, {15, 2, 3}, {15, 6}}) {
    const auto arrays = ArraysFor(extents);
    ASSERT_TRUE(arrays.ok()) << arrays.status();
    EXPECT_THAT(arrays->at(0).extents, ElementsAre(15, 6));
  }
}

TEST(DeviceArraysTest, OthersAreRefused) {
  for (const std::vector<int64_t>& extents : {std::vector<int64_t>{3, 4, 6}, {3, 5, 7}, {90}, {3, 5, 3, 2}})
    EXPECT_TRUE(absl::IsInvalidArgument(ArraysFor(extents).status()));
}

}  // namespace
}  // namespace tune
