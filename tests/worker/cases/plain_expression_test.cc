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

// Products have no name in the program; what merely begins like one stays.
TEST(UserText, WritesOutProducts) {
  v1::Scop scop;
  scop.add_parameters()->set_name("n");
  v1::Parameter& product = *scop.add_parameters();
  product.set_name("tune_product_n_n");
  product.add_factors("n");
  product.add_factors("n");
  const IndexExpression nn = IndexExpression::Name("tune_product_n_n"),
                        other = IndexExpression::Name("tune_product_n_n_");
  EXPECT_EQ(UserText(IndexExpression::Of(Op::kMinimum, {nn, n}), scop),
            "((long long)(n) * (n)) < n ? ((long long)(n) * (n)) : n");
  EXPECT_EQ(UserText(other, scop), "tune_product_n_n_");
}

}  // namespace
}  // namespace tune
