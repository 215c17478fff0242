#include "worker/cases/plain_expression.h"

#include <gtest/gtest.h>

namespace tune {
namespace {

using Op = IndexExpression::Op;

const IndexExpression n = IndexExpression::Name("n"), m = IndexExpression::Name("m");

TEST(PlainText, WritesOutWhatIsNoOperatorOfC) {
  EXPECT_EQ(PlainText(IndexExpression::Of(Op::kMinimum, {n, m})), "n < m ? n : m");
  EXPECT_EQ(PlainText(IndexExpression::Of(Op::kMaximum, {n, m, IndexExpression::Constant(0)})),
            "(n > m ? n : m) > 0 ? (n > m ? n : m) : 0");
  EXPECT_EQ(PlainText(IndexExpression::Of(Op::kFloor, {n, IndexExpression::Constant(4)})),
            "n < 0 ? -((-n + 4 - 1) / 4) : n / 4");
}

}  // namespace
}  // namespace tune
