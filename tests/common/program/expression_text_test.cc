#include "common/program/expression_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "common/program/expression_reader.h"
#include "tests/common/testing/random_nodes.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

using E = IndexExpression;

int64_t ValueOf(const IndexExpression& expression) {
  return Evaluate(expression, [](const std::string& name) { return static_cast<int64_t>(name.size()) - 3; });
}

// Printed, and read again from that.
void ExpectText(const IndexExpression& expression, const std::string& text) {
  EXPECT_EQ(PrintIndexExpression(expression), text);
  const auto read = ReadIndexExpression(text);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(*read, expression) << text;
}

std::string ErrorOf(absl::string_view text) {
  const auto read = ReadIndexExpression(text);
  EXPECT_TRUE(absl::IsInvalidArgument(read.status())) << text;
  return std::string(read.status().message());
}

TEST(ExpressionText, ParenthesesAreThereWhereCNeedsThem) {
  const IndexExpression a = E::Name("a"), b = E::Name("b"), c = E::Name("c");
  ExpectText(a - b - c, "a - b - c");
  ExpectText(a - (b - c), "a - (b - c)");
  ExpectText(a * (b + c), "a * (b + c)");
  ExpectText(a * b + c, "a * b + c");
  ExpectText(E::Of(E::Op::kQuotient, {a * b, c}), "a * b / c");
  ExpectText(a * E::Of(E::Op::kRemainder, {b, c}), "a * (b % c)");
  const IndexExpression less = E::Of(E::Op::kLess, {a, b});
  ExpectText(E::Of(E::Op::kLess, {a, less}), "a < (a < b)");
  ExpectText(E::Of(E::Op::kEqual, {less, c}), "a < b == c");
  ExpectText(E::Of(E::Op::kAnd, {E::Of(E::Op::kOr, {a, less}), c}), "(a || a < b) && c");
  ExpectText(E::Of(E::Op::kOr, {E::Of(E::Op::kAnd, {a, less}), c}), "a && a < b || c");
  ExpectText(E::Of(E::Op::kNot, {less}), "!(a < b)");
}

TEST(ExpressionText, CallsAreNames) {
  const IndexExpression a = E::Name("blockIdx.x"), b = E::Name("b");
  ExpectText(E::Of(E::Op::kFloor, {a - b, E::Constant(4)}), "floor(blockIdx.x - b, 4)");
  ExpectText(E::Of(E::Op::kMinimum, {a, b, E::Constant(-1)}), "min(blockIdx.x, b, -1)");
  ExpectText(E::Of(E::Op::kMaximum, {a, b}), "max(blockIdx.x, b)");
  ExpectText(E::Of(E::Op::kToIndex, {a}) + b, "index(blockIdx.x) + b");
  ExpectText(E::Name("min") + E::Name("index"), "min + index");
  ExpectText(E::Name("two words") * E::Name(""), "\"two words\" * \"\"");
}

TEST(ExpressionText, SelectionsBindFromTheRight) {
  const auto select = [](const IndexExpression& when, const IndexExpression& then,
                         const IndexExpression& otherwise) {
    return E::Of(E::Op::kSelect, {when, then, otherwise});
  };
  const IndexExpression a = E::Name("a"), b = E::Name("b"), c = E::Name("c");
  ExpectText(select(a, b, select(b, c, a)), "a ? b : b ? c : a");
  ExpectText(select(a, select(b, c, a), c), "a ? b ? c : a : c");
  ExpectText(select(select(a, b, c), b, c), "(a ? b : c) ? b : c");
  ExpectText(select(a, b, c) + c, "(a ? b : c) + c");
}

TEST(ExpressionText, NegatedValuesAreNoConstants) {
  const auto negated = [](const IndexExpression& operand) { return E::Of(E::Op::kNegate, {operand}); };
  const IndexExpression a = E::Name("a");
  ExpectText(E::Constant(-5), "-5");
  ExpectText(negated(E::Constant(5)), "-(5)");
  ExpectText(negated(E::Constant(-5)), "-(-5)");
  ExpectText(negated(negated(a)), "-(-a)");
  ExpectText(negated(E::Of(E::Op::kNot, {a})), "-!a");
  ExpectText(E::Of(E::Op::kNot, {E::Of(E::Op::kNot, {E::Constant(-1)})}), "!!-1");
  ExpectText(a - E::Constant(-5), "a - -5");
  ExpectText(a - negated(a), "a - -a");
  ExpectText(negated(a * a), "-(a * a)");
  ExpectText(negated(a) * a, "-a * a");
  ExpectText(E::Constant(std::numeric_limits<int64_t>::min()), "-9223372036854775808");
  ExpectText(E::Constant(std::numeric_limits<int64_t>::max()), "9223372036854775807");
}

#define WITH_VALUE(expression) \
  { #expression, expression }

// The compiler is the judge.
TEST(ExpressionText, ValuesAreThoseOfC) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wbool-compare"
  const std::vector<std::pair<const char*, int64_t>> values = {
      WITH_VALUE(2 + 3 * 4 - -5 % 3), WITH_VALUE(100 / 7 / 2 * 3 % 5),   WITH_VALUE(1 - 2 - 3 - (4 - 5)),
      WITH_VALUE(!3 + -!0 * 2),       WITH_VALUE(1 < 2 == 1 < 3 > 0),    WITH_VALUE(0 || 1 && 0 || 3 >= 3),
      WITH_VALUE(1 ? 0 ? 2 : 3 : 4),  WITH_VALUE(0 ? 2 : 0 ? 3 : 1 + 4), WITH_VALUE(2 * (3 + 4) * -(5)),
      WITH_VALUE(7 - 3 <= 4 && !0),
  };
#pragma GCC diagnostic pop
  for (const auto& [text, value] : values) {
    const auto read = ReadIndexExpression(text);
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(ValueOf(*read), value) << text;
    EXPECT_EQ(PrintIndexExpression(*read), text);
  }
}

TEST(ExpressionText, RandomExpressionsAreReadBack) {
  for (uint64_t seed = 0; seed < 4000; ++seed) {
    testing::RandomNodes random(seed);
    const IndexExpression expression = random.Expression(1 + static_cast<int>(seed % 6));
    const std::string text = PrintIndexExpression(expression);
    const auto read = ReadIndexExpression(text);
    ASSERT_TRUE(read.ok()) << text << "\n" << read.status();
    ASSERT_EQ(*read, expression) << text;
    ASSERT_EQ(ValueOf(*read), ValueOf(expression)) << text;
  }
}

TEST(ExpressionText, ErrorsSayWhatWasExpectedAndWhere) {
  EXPECT_EQ(ErrorOf(""), "line 1, column 1: expected an expression, not the end of the line");
  EXPECT_EQ(ErrorOf("a + "), "line 1, column 5: expected an expression, not the end of the line");
  EXPECT_EQ(ErrorOf("a b"), "line 1, column 3: expected the end of the line, not \"b\"");
  EXPECT_EQ(ErrorOf("(a + 1"), "line 1, column 7: expected \")\", not the end of the line");
  EXPECT_EQ(ErrorOf("a ? b"), "line 1, column 6: expected \":\", not the end of the line");
  EXPECT_EQ(ErrorOf("a + log(b)"),
            "line 1, column 5: expected floor, min, max or index before \"(\", not \"log(b)\"");
  EXPECT_EQ(ErrorOf("min(a)"), "line 1, column 6: expected another operand of min, not \")\"");
  EXPECT_EQ(ErrorOf("floor(a, b, c)"), "line 1, column 11: expected \")\", not \", c)\"");
  EXPECT_EQ(ErrorOf("1 + 9223372036854775808"),
            "line 1, column 5: expected a number that fits 64 bits, not \"9223372036854775808\"");
  EXPECT_EQ(ErrorOf("a + \"b"),
            "line 1, column 5: expected a name between quotes, escaped as in C, not \"\\\"b\"");
  EXPECT_EQ(ErrorOf("a != b"), "line 1, column 3: expected the end of the line, not \"!= b\"");
}

TEST(ExpressionText, DepthIsLimited) {
  using Wrap = std::function<IndexExpression(IndexExpression)>;
  const IndexExpression a = E::Name("a");
  const std::vector<Wrap> wraps = {
      [&](IndexExpression inner) { return E::Of(E::Op::kNegate, {std::move(inner)}); },
      [&](IndexExpression inner) { return a - std::move(inner); },
      [&](IndexExpression inner) { return std::move(inner) - a; },
      [&](IndexExpression inner) {
        return E::Of(E::Op::kMinimum, {a, std::move(inner)});
      },
      [&](IndexExpression inner) {
        return E::Of(E::Op::kSelect, {std::move(inner), a, a});
      },
      [&](IndexExpression inner) {
        return E::Of(E::Op::kSelect, {a, a, std::move(inner)});
      },
  };
  for (const Wrap& wrap : wraps) {
    IndexExpression nested = a;
    for (int depth = 1; depth < kMostExpressionDepth; ++depth) nested = wrap(std::move(nested));
    EXPECT_EQ(ReadIndexExpression(PrintIndexExpression(nested)).value(), nested);
    EXPECT_THAT(ErrorOf(PrintIndexExpression(wrap(nested))), HasSubstr("deeper than 200 operators"));
  }
}

// Neither what reads nor what prints or destroys would end well.
TEST(ExpressionText, HostileDepthIsRefused) {
  for (const std::string unit : {"(", "-", "!", "- -", "min(a, ", "a ? ", "a ? b : ", "a + (",
                                 "a || b && c == d < e + f * (", "a - ", "a * "}) {
    std::string text;
    for (int i = 0; i < 100000; ++i) text += unit;
    EXPECT_THAT(ErrorOf(text + "a"), HasSubstr("deeper than 200 operators")) << unit;
  }
}

}  // namespace
}  // namespace tune
