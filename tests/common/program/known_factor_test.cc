#include "common/program/known_factor.h"

#include <gtest/gtest.h>

#include <iterator>
#include <map>

#include "common/base/random.h"

namespace tune {
namespace {

using Op = IndexExpression::Op;

IndexExpression Fixed(int64_t value) { return IndexExpression::Constant(value); }
IndexExpression Variable(const std::string& name) { return IndexExpression::Name(name); }

TEST(KnownFactor, IsThatOfEveryValue) {
  EXPECT_EQ(KnownFactor(Fixed(-12)), 12);
  EXPECT_EQ(KnownFactor(Fixed(0)), 0);
  EXPECT_EQ(KnownFactor(Variable("i")), 1);
  EXPECT_EQ(KnownFactor(Fixed(64) * Variable("b") + Fixed(16) * Variable("c")), 16);
  EXPECT_EQ(KnownFactor(Fixed(64) * Variable("b") - Fixed(1)), 1);
  EXPECT_EQ(KnownFactor(Fixed(8) * (Variable("c") + Fixed(2))), 8);
  EXPECT_EQ(KnownFactor(IndexExpression::Of(Op::kFloor, {Fixed(64) * Variable("b"), Fixed(16)})), 4);
  EXPECT_EQ(KnownFactor(IndexExpression::Of(Op::kFloor, {Variable("b"), Fixed(16)})), 1);
  EXPECT_EQ(KnownFactor(IndexExpression::Of(Op::kSelect, {Variable("x"), Fixed(12), Fixed(8)})), 4);
  EXPECT_EQ(KnownFactor(IndexExpression::Of(Op::kLess, {Fixed(4), Fixed(8)})), 1);
}

// Of random expressions the factor divides what they are for random values of their names.
class RandomExpressions {
 public:
  explicit RandomExpressions(uint64_t seed) : random_(seed) {}

  IndexExpression Make(int depth) {
    if (depth == 0 || random_.Below(4) == 0)
      return random_.Below(2) == 0 ? Variable(random_.Below(2) == 0 ? "i" : "j") : Fixed(Number());
    static constexpr Op kOperators[] = {Op::kAdd,     Op::kSubtract, Op::kMultiply, Op::kMinimum,
                                        Op::kMaximum, Op::kNegate,   Op::kSelect,   Op::kToIndex,
                                        Op::kFloor,   Op::kQuotient, Op::kRemainder};
    const Op op = kOperators[random_.Below(std::size(kOperators))];
    if (op == Op::kNegate || op == Op::kToIndex) return IndexExpression::Of(op, {Make(depth - 1)});
    if (op == Op::kSelect)
      return IndexExpression::Of(op, {Make(depth - 1), Make(depth - 1), Make(depth - 1)});
    const bool divides = op == Op::kFloor || op == Op::kQuotient || op == Op::kRemainder;
    return IndexExpression::Of(op,
                               {Make(depth - 1), divides ? Fixed(1 << random_.Below(5)) : Make(depth - 1)});
  }

  int64_t Number() { return static_cast<int64_t>(random_.Below(9)) * 4 - 16; }

 private:
  Random random_;
};

TEST(KnownFactor, DividesRandomValues) {
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    RandomExpressions random(seed);
    const IndexExpression expression = random.Make(4);
    const int64_t factor = KnownFactor(expression);
    for (int i = 0; i < 10; ++i) {
      const std::map<std::string, int64_t> values = {{"i", random.Number() + i},
                                                     {"j", random.Number() - 3 * i}};
      const int64_t value = Evaluate(expression, [&](const std::string& name) { return values.at(name); });
      EXPECT_TRUE(factor == 0 ? value == 0 : value % factor == 0) << "seed " << seed << ", " << factor;
    }
  }
}

}  // namespace
}  // namespace tune
