#include "common/isl/tuple_name.h"

#include <gtest/gtest.h>

namespace tune {
namespace {

TEST(TupleName, OfASetIsItsOwn) {
  IslContext context;
  EXPECT_EQ(TupleName(isl::set(context.ctx(), "{ A[i] : i > 0 }")), "A");
}

TEST(TupleName, OfAnUnnamedSetIsEmpty) {
  IslContext context;
  EXPECT_EQ(TupleName(isl::set(context.ctx(), "{ [i] }")), "");
}

TEST(TupleName, OfNothingIsAnError) { EXPECT_THROW(TupleName(isl::set()), isl::exception); }

}  // namespace
}  // namespace tune
