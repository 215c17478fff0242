#include "common/isl/dimensions.h"

#include <gtest/gtest.h>

#include "common/isl/bounds.h"

namespace tune {
namespace {

TEST(Dimensions, AreCountedByKind) {
  IslContext context;
  const isl::map map(context.ctx(), "[n, m] -> { S[i] -> A[i, n + 1, 2 * (i // 2)] }");
  EXPECT_EQ(Dimensions(map, isl_dim_param), 2);
  EXPECT_EQ(Dimensions(map, isl_dim_in), 1);
  EXPECT_EQ(Dimensions(map, isl_dim_out), 3);
}

TEST(Dimensions, OfNothingAreAnErrorAndNoNumber) {
  IslContext context;
  const absl::Status status = context.Run("counting", [] {
    return Dimensions(isl::set(), isl_dim_set) == 0 ? absl::OkStatus() : absl::UnknownError("a number");
  });
  EXPECT_EQ(status.code(), absl::StatusCode::kInternal) << status;
}

TEST(Dimensions, WithoutAName) {
  IslContext context;
  const isl::set set(context.ctx(), "[n] -> { S[i] : i < n }");
  EXPECT_EQ(FindDimension(set, isl_dim_param, "n"), 0);
  EXPECT_EQ(FindDimension(set, isl_dim_param, "m"), -1);
  EXPECT_EQ(DimensionName(isl::map(context.ctx(), "{ [i] -> [i + 1] }"), isl_dim_out, 0), "");
}

TEST(ProjectOut, LeavesWhatSomeValueAllows) {
  IslContext context;
  const isl::set set(context.ctx(), "{ [i, j] : 0 <= i < j < 8 }");
  EXPECT_TRUE(ProjectOut(set, isl_dim_set, 1, 1).is_equal(isl::set(context.ctx(), "{ [i] : 0 <= i < 7 }")));
  EXPECT_TRUE(Fix(set, isl_dim_set, 1, 1).is_equal(isl::set(context.ctx(), "{ [0, 1] }")));
}

}  // namespace
}  // namespace tune
