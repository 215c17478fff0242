#include "common/program/index_expression.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/common/testing/random_nodes.h"

namespace tune {
namespace {

using Op = IndexExpression::Op;
using ::testing::ElementsAre;

IndexExpression Constant(int64_t value) { return IndexExpression::Constant(value); }
IndexExpression Name(const std::string& name) { return IndexExpression::Name(name); }

int64_t ValueOf(Op op, const std::vector<int64_t>& operands) {
  IndexExpression expression{op, 0, "", {}};
  for (const int64_t operand : operands) expression.operands.push_back(Constant(operand));
  return Evaluate(expression, [](const std::string&) { return 0; });
}

TEST(IndexExpression, OperatorsAreThoseOfC) {
  for (int64_t a = -7; a <= 7; ++a) {
    for (int64_t b = -3; b <= 3; ++b) {
      EXPECT_EQ(ValueOf(Op::kAdd, {a, b}), a + b);
      EXPECT_EQ(ValueOf(Op::kSubtract, {a, b}), a - b);
      EXPECT_EQ(ValueOf(Op::kMultiply, {a, b}), a * b);
      EXPECT_EQ(ValueOf(Op::kMinimum, {a, b}), std::min(a, b));
      EXPECT_EQ(ValueOf(Op::kMaximum, {a, b}), std::max(a, b));
      EXPECT_EQ(ValueOf(Op::kAnd, {a, b}), a && b);
      EXPECT_EQ(ValueOf(Op::kOr, {a, b}), a || b);
      EXPECT_EQ(ValueOf(Op::kEqual, {a, b}), a == b);
      EXPECT_EQ(ValueOf(Op::kLess, {a, b}), a < b);
      EXPECT_EQ(ValueOf(Op::kLessEqual, {a, b}), a <= b);
      EXPECT_EQ(ValueOf(Op::kGreater, {a, b}), a > b);
      EXPECT_EQ(ValueOf(Op::kGreaterEqual, {a, b}), a >= b);
      EXPECT_EQ(ValueOf(Op::kSelect, {a, b, 9}), a != 0 ? b : 9);
      if (b == 0) continue;
      EXPECT_EQ(ValueOf(Op::kQuotient, {a, b}), a / b);
      EXPECT_EQ(ValueOf(Op::kRemainder, {a, b}), a % b);
    }
    EXPECT_EQ(ValueOf(Op::kNegate, {a}), -a);
    EXPECT_EQ(ValueOf(Op::kNot, {a}), !a);
    EXPECT_EQ(ValueOf(Op::kToIndex, {a}), a);
  }
}

TEST(IndexExpression, FloorIsRoundedDown) {
  EXPECT_EQ(ValueOf(Op::kFloor, {7, 2}), 3);
  EXPECT_EQ(ValueOf(Op::kFloor, {-7, 2}), -4);
  EXPECT_EQ(ValueOf(Op::kFloor, {-6, 2}), -3);
}

TEST(IndexExpression, WhatNamesNothingIsFolded) {
  const IndexExpression sum = Constant(16) * (Constant(2) + Constant(1)) + Name("i");
  EXPECT_EQ(Folded(sum), Constant(48) + Name("i"));
  EXPECT_EQ(Folded(Replace(sum, "i", Constant(-8))), Constant(40));
  EXPECT_EQ(Folded(Name("i")), Name("i"));
  EXPECT_EQ(Folded(Constant(0) + Name("i")), Name("i"));
  EXPECT_EQ(Folded(Name("i") - Constant(0)), Name("i") - Constant(0));
}

TEST(IndexExpression, ComparisonsAreOfWhatIsNotOnBothSides) {
  const IndexExpression base = Constant(4) * Name("h");
  const auto compare = [](Op op, const IndexExpression& left, const IndexExpression& right) {
    return Folded(IndexExpression::Of(op, {left, right}));
  };
  EXPECT_EQ(compare(Op::kLessEqual, base + Name("c"), base + Constant(3)),
            IndexExpression::Of(Op::kLessEqual, {Name("c"), Constant(3)}));
  EXPECT_EQ(compare(Op::kLess, base - Constant(2), base + Name("c") + Constant(1)),
            IndexExpression::Of(Op::kLess, {Constant(0), Name("c") + Constant(3)}));
  EXPECT_EQ(compare(Op::kEqual, Name("a") - Name("b"), Name("c") - Name("b")),
            IndexExpression::Of(Op::kEqual, {Name("a"), Name("c")}));
  EXPECT_EQ(compare(Op::kLessEqual, base, base + Constant(3)), Constant(1));
  EXPECT_EQ(compare(Op::kGreater, base, base + Constant(3)), Constant(0));
  // Without anything in common it stays as it is written.
  const IndexExpression other = IndexExpression::Of(Op::kLess, {Name("a") + Constant(1), Name("b")});
  EXPECT_EQ(Folded(other), other);
}

TEST(IndexExpression, FoldingKeepsValues) {
  testing::RandomNodes random(7);
  for (int i = 0; i < 2000; ++i) {
    const IndexExpression expression = random.Expression(4);
    const auto value_of = [&](const std::string& name) { return static_cast<int64_t>(name.size()) - 3; };
    EXPECT_EQ(Evaluate(Folded(expression), value_of), Evaluate(expression, value_of));
  }
}

TEST(IndexExpression, WhatIsNotAskedForIsNotEvaluated) {
  const IndexExpression by_zero = IndexExpression::Of(Op::kQuotient, {Constant(1), Constant(0)});
  const auto value = [](const IndexExpression& expression) {
    return Evaluate(expression, [](const std::string&) { return 0; });
  };
  EXPECT_EQ(value(IndexExpression::Of(Op::kAnd, {Constant(0), by_zero})), 0);
  EXPECT_EQ(value(IndexExpression::Of(Op::kOr, {Constant(2), by_zero})), 1);
  EXPECT_EQ(value(IndexExpression::Of(Op::kSelect, {Constant(0), by_zero, Constant(5)})), 5);
}

TEST(IndexExpression, NamesAreFoundAndReplaced) {
  const IndexExpression expression = Name("c0") * Constant(32) + Name("c1") - Name("c0");
  EXPECT_TRUE(Mentions(expression, "c1"));
  EXPECT_FALSE(Mentions(expression, "c"));
  std::set<std::string> names;
  CollectNames(expression, &names);
  EXPECT_THAT(names, ElementsAre("c0", "c1"));
  const IndexExpression replaced = Replace(expression, "c0", Name("c1") + Constant(1));
  EXPECT_EQ(replaced, (Name("c1") + Constant(1)) * Constant(32) + Name("c1") - (Name("c1") + Constant(1)));
  EXPECT_EQ(Evaluate(replaced, [](const std::string&) { return 2; }), 3 * 32 + 2 - 3);
}

}  // namespace
}  // namespace tune
