#include "common/work/operation_formula.h"

#include <gtest/gtest.h>

#include "tests/common/testing/sample_scops.h"

namespace tune {
namespace {

using testing::Add;
using testing::Literal;
using testing::Multiply;
using testing::Operation;
using testing::Read;
using testing::ScopBuilder;

std::string Formula(const v1::Scop& scop) {
  const absl::StatusOr<std::string> formula = OperationFormula(scop);
  return formula.ok() ? *formula : std::string(formula.status().message());
}

// y[i] = value over { i : domain }, with x the other read.
std::string FormulaOfLoop(const std::string& domain, const v1::Expression& value) {
  ScopBuilder builder("one", {"n", "m"}, "n >= 0 and m >= 0");
  builder.Array("y", {"n + m"}).Array("x", {"n + m"});
  builder.Begin("i", domain).Assign({"y", "i"}, {{"x", "i"}, {"y", "i"}}, value);
  return Formula(builder.End().Build());
}

TEST(OperationFormula, ProductOfMatrices) {
  // beta C; alpha A, its product with B, added.
  EXPECT_EQ(Formula(testing::GemmScop()), "3*ni*nj*nk + ni*nj");
}

// j < i: the sum over k < j of a product and a difference, and a quotient; j >= i: over k < i.
TEST(OperationFormula, TriangularLoops) {
  // sum_i [ sum_{j<i} (2j + 1) + (n - i) 2i ] = 2/3 n^3 - n^2/2 - n/6
  EXPECT_EQ(Formula(testing::TriangularScop()), "0.6666666667*n^3 - 0.5*n^2 - 0.1666666667*n");
}

TEST(OperationFormula, LoopsOfOneDimension) {
  const v1::Expression sum = Add(Read(0), Multiply(Literal("2.0"), Read(1)));
  EXPECT_EQ(FormulaOfLoop("0 <= i < n", sum), "2*n");
  EXPECT_EQ(FormulaOfLoop("1 <= i < n - 1", sum), "2*n - 4");
  EXPECT_EQ(FormulaOfLoop("0 <= i < n + m", Add(Read(0), Read(1))), "m + n");
  EXPECT_EQ(FormulaOfLoop("0 <= i < 10", sum), "20");
  EXPECT_EQ(FormulaOfLoop("n <= i < 5", Add(Read(0), Read(1))), "-n + 5");
  EXPECT_EQ(FormulaOfLoop("0 <= i < n", Read(0)), "0");
}

TEST(OperationFormula, TheShorterBranch) {
  const v1::Expression x = Read(0), y = Read(1);
  EXPECT_EQ(FormulaOfLoop("0 <= i < n",
                          Operation("?:", {Operation("<", {x, y}), Add(x, y), Multiply(Add(x, y), y)})),
            "2*n");
}

TEST(OperationFormula, NoneWhereItIsNoPolynomial) {
  EXPECT_EQ(FormulaOfLoop("0 <= i < n and i < m", Add(Read(0), Read(1))), "");
  EXPECT_EQ(FormulaOfLoop("0 <= 3 i < n", Add(Read(0), Read(1))), "");
}

TEST(OperationFormula, GivesUpAtItsLimit) {
  EXPECT_EQ(OperationFormula(testing::TriangularScop(), {1000, absl::Seconds(10)}).status().code(),
            absl::StatusCode::kResourceExhausted);
}

}  // namespace
}  // namespace tune
