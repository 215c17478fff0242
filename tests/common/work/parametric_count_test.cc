#include "common/work/parametric_count.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "absl/strings/str_cat.h"
#include "common/base/random.h"
#include "common/isl/functions.h"
#include "common/isl/value.h"
#include "common/scop/scop.h"
#include "common/work/point_count.h"

namespace tune {
namespace {

using Sizes = std::map<std::string, int64_t>;

// Of a polynomial over the parameters.
double ValueAt(const QuasiPolynomial& polynomial, const Sizes& sizes, const isl::set& point) {
  double value = 0;
  for (const QuasiPolynomial::Term& term : polynomial.Terms()) {
    double product = ToDouble(term.coefficient);
    for (const QuasiPolynomial::Factor& factor : term.factors) {
      const double base = factor.quotient
                              ? ToDouble(isl::pw_aff(*factor.quotient).intersect_params(point).max_val())
                              : static_cast<double>(sizes.at(factor.parameter));
      product *= std::pow(base, factor.exponent);
    }
    value += product;
  }
  return value;
}

// "12"; "none" where there is no formula, at the sizes that the seeds give.
std::string CountedAt(const std::string& text, const Sizes& sizes) {
  IslContext context;
  std::string answer;
  const absl::Status done = context.Run("test", [&] {
    const isl::set set(context.ctx(), text);
    const std::optional<std::vector<PolynomialPiece>> pieces = CountParametrically(set);
    const isl::set point = ParameterValues(context, sizes);
    if (!pieces) {
      answer = "none";
      return absl::OkStatus();
    }
    double value = 0;
    for (const PolynomialPiece& piece : *pieces) {
      if (!piece.where.intersect(point).is_empty()) value += ValueAt(piece.polynomial, sizes, point);
    }
    answer = absl::StrCat(std::llround(value));
    EXPECT_NEAR(value, std::round(value), 1e-6) << text;
    EXPECT_EQ(answer, IslText(CountPoints(set.intersect_params(point).project_out_all_params()))) << text;
    return absl::OkStatus();
  });
  return done.ok() ? answer : done.ToString();
}

TEST(ParametricCountTest, BoxesTrianglesAndStridesAreCountedAtAnySize) {
  const std::string sets[] = {
      "[n, m] -> { S[i, j] : 0 <= i < n and 0 <= j < m }",
      "[n, m] -> { S[i, j, k] : 0 <= i < n and 0 <= j <= i and 0 <= k < m }",
      "[n, m] -> { S[i, j, k] : 0 <= i < n and i < j < n and j <= k < n }",
      "[n, m] -> { S[i, j] : 0 <= i < n and 0 <= j < m and j <= i }",
      "[n, m] -> { S[i] : exists j : i = 3j + 1 and 0 <= i < n }",
      "[n, m] -> { S[t, i] : 0 <= t < m and 1 <= i < n - 1 and (exists e : t = 2e) }",
      "[n, m] -> { S[i, j] : 0 <= i < n and j = 2i + 1 }",
      "[n, m] -> { S[i] : 0 <= i < n and i != 7 }",
      "[n, m] -> { S[] : n >= 3 }",
      "[n, m] -> { S[i, j] : (0 <= i < n and 0 <= j < 3) or (2 <= i < m and 1 <= j < 5) }",
  };
  Random random(5);
  for (const std::string& set : sets) {
    for (int i = 0; i < 12; ++i) {
      const Sizes sizes = {{"n", static_cast<int64_t>(random.Below(40))},
                           {"m", static_cast<int64_t>(random.Below(40))}};
      EXPECT_NE(CountedAt(set, sizes), "none") << set;
    }
  }
  EXPECT_EQ(CountedAt("[n] -> { [i, j, k] : 0 <= i < n and 0 <= j <= i and 0 <= k <= j }", {{"n", 100}}),
            "171700");
}

TEST(ParametricCountTest, WhatIsNoSuchFunctionIsLeftOut) {
  const Sizes sizes = {{"n", 9}};
  EXPECT_EQ(CountedAt("[n] -> { [i, j] : 0 <= i < n and 0 <= 2j <= i }", sizes), "none");
  EXPECT_EQ(CountedAt("[n] -> { [i] : exists a, b : 0 <= a < 5 and 0 <= b < 6 and i = 6a + 10b }", sizes),
            "none");
  EXPECT_EQ(CountedAt("[n] -> { [i] : i >= n }", sizes), "none");
}

TEST(ParametricCountTest, DimensionsThatAreKeptAreBoundedFromAbove) {
  IslContext context;
  const absl::Status done = context.Run("test", [&] {
    const isl::set set(context.ctx(), "[n] -> { [i, j] : 0 <= i < n and 0 <= j <= i and n >= 1 }");
    const auto pieces = CountDimensions(set, 1);
    EXPECT_TRUE(pieces.has_value());
    const isl::set point = ParameterValues(context, {{"n", 20}});
    double most = 0;
    for (const PolynomialBound& bound : UpperBounds(*pieces)) {
      if (bound.where.intersect(point).is_empty()) continue;
      for (const QuasiPolynomial& one : bound.largest)
        most = std::max(most, ValueAt(one, {{"n", 20}}, point));
    }
    EXPECT_EQ(most, 20);
    return absl::OkStatus();
  });
  EXPECT_TRUE(done.ok()) << done;
}

}  // namespace
}  // namespace tune
