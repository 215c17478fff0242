#include "common/evaluation/rounding.h"

#include <gtest/gtest.h>

#include "common/evaluation/generator.h"

namespace tune {
namespace {

TEST(Rounding, NamesAreReadBack) {
  for (int i = v1::Rounding_MIN; i <= v1::Rounding_MAX; ++i) {
    const auto rounding = static_cast<v1::Rounding>(i);
    EXPECT_EQ(RoundingOfName(RoundingName(rounding)), rounding) << i;
    EXPECT_EQ(RoundingText(rounding).empty(), rounding == v1::ROUNDING_UNSPECIFIED) << i;
  }
  EXPECT_EQ(RoundingOfName("fast"), std::nullopt);
  const auto later = static_cast<v1::Rounding>(v1::Rounding_MAX + 1);
  EXPECT_EQ(RoundingName(later), "unknown");
  EXPECT_EQ(RoundingOfName("unknown"), std::nullopt);
  EXPECT_EQ(RoundingText(later), "");
}

// Stored studies have these numbers and keys.
TEST(Rounding, WasABoolOnce) {
  EXPECT_EQ(static_cast<int>(v1::ROUNDING_EXACT), static_cast<int>(true));
  EXPECT_EQ(ResultKind("", v1::ROUNDING_UNSPECIFIED), "builtin");
  EXPECT_EQ(ResultKind("", v1::ROUNDING_EXACT), "builtin exact");
  EXPECT_EQ(ResultKind("builtin", v1::ROUNDING_TF32X3), "builtin tf32x3");
}

}  // namespace
}  // namespace tune
