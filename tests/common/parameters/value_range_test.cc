#include "common/parameters/value_range.h"

#include <gtest/gtest.h>

#include "common/expression/arithmetic.h"
#include "common/expression/comparison.h"

namespace tune {
namespace {

constexpr int kMost = 5;

// All ranges within -5..5.
std::vector<ValueRange> Ranges() {
  std::vector<ValueRange> ranges;
  for (int least = -kMost; least <= kMost; ++least) {
    for (int most = least; most <= kMost; ++most) ranges.push_back({least, most});
  }
  return ranges;
}

TEST(ValueRangeTest, ContainsWhatOperatorsMake) {
  int found = 0;
  for (int op = 0; op <= static_cast<int>(BinaryOperator::kShiftRight); ++op) {
    for (const ValueRange& a : Ranges()) {
      for (const ValueRange& b : Ranges()) {
        const auto range = RangeOf(static_cast<BinaryOperator>(op), a, b);
        if (!range.has_value()) continue;
        ++found;
        for (int64_t x = a.least; x <= a.most; ++x) {
          for (int64_t y = b.least; y <= b.most; ++y) {
            const auto value =
                Apply(static_cast<BinaryOperator>(op), Value::Integer(x), Value::Integer(y), {});
            ASSERT_TRUE(value.ok() && value->IsWhole()) << op << " " << x << " " << y;
            ASSERT_TRUE(range->least <= value->whole() && value->whole() <= range->most)
                << op << " " << x << " " << y;
          }
        }
      }
    }
  }
  EXPECT_GT(found, 3 * 66 * 66);
}

TEST(ValueRangeTest, ComparesAsAllNumbersDo) {
  for (int comparison = 0; comparison <= static_cast<int>(Comparison::kGreaterOrEqual); ++comparison) {
    for (const ValueRange& a : Ranges()) {
      for (const ValueRange& b : Ranges()) {
        bool always = true;
        bool never = true;
        for (int64_t x = a.least; x <= a.most; ++x) {
          for (int64_t y = b.least; y <= b.most; ++y) {
            const bool holds =
                Compare(static_cast<Comparison>(comparison), Value::Integer(x), Value::Integer(y)).value();
            always = always && holds;
            never = never && !holds;
          }
        }
        const auto wanted = always  ? std::optional<bool>(true)
                            : never ? std::optional<bool>(false)
                                    : std::nullopt;
        ASSERT_EQ(CompareRanges(static_cast<Comparison>(comparison), a, b), wanted) << comparison;
      }
    }
  }
}

TEST(ValueRangeTest, SaysNothingWhereNumbersLeave64Bits) {
  const ValueRange large{0, INT64_MAX};
  EXPECT_FALSE(RangeOf(BinaryOperator::kAdd, large, {1, 1}).has_value());
  EXPECT_FALSE(RangeOf(BinaryOperator::kMultiply, large, {1, 2}).has_value());
  EXPECT_FALSE(RangeOf(BinaryOperator::kShiftLeft, {1, 2}, {0, 63}).has_value());
  EXPECT_FALSE(RangeOf(BinaryOperator::kPower, {1, 10}, {0, 19}).has_value());
}

}  // namespace
}  // namespace tune
