#include "common/constraints/polynomial_constraint.h"

#include <gtest/gtest.h>

#include "common/base/random.h"

namespace tune {
namespace {

const Polynomial a = Polynomial::Name("a"), b = Polynomial::Name("b");

TEST(PolynomialConstraint, IsShownWithoutWhatBothSidesHave) {
  EXPECT_EQ(AtMost(Polynomial(-2) * b, Polynomial(-2) * a).Normalised().Text(), "a <= b");
  EXPECT_EQ(AtMost(Polynomial(4) * a * b + 8, Polynomial(4) * b).Normalised().Text(), "a*b + 2 <= b");
  EXPECT_EQ(Below(a, a * b + a).Normalised().Text(), "0 < a*b");
}

TEST(PolynomialConstraint, NormalAndNegatedFormsHaveTheSameSolutions) {
  Random random(2);
  for (int round = 0; round < 2000; ++round) {
    const auto coefficient = [&] { return Polynomial(static_cast<int64_t>(random.Below(13)) - 6); };
    const Polynomial left = coefficient() * a * b + coefficient() * a + coefficient();
    const Polynomial right = coefficient() * b * b + coefficient() * b + coefficient();
    const PolynomialConstraint constraint = random.Below(2) == 0 ? AtMost(left, right) : Below(left, right);
    const Point point = {{"a", static_cast<int64_t>(random.Below(9)) - 4},
                         {"b", static_cast<int64_t>(random.Below(9)) - 4}};
    const bool holds = *constraint.Holds(point);
    EXPECT_EQ(*constraint.Normalised().Holds(point), holds) << constraint.Text();
    EXPECT_EQ(*constraint.Negation().Holds(point), !holds) << constraint.Text();
    EXPECT_EQ(*Equal(left, right).Normalised().Holds(point), *Equal(left, right).Holds(point));
  }
}

TEST(PolynomialConstraint, BoundsOfSingleNamesAreFound) {
  const ConstraintSystem system = {AtMost(1, a), Below(3, a), AtMost(2, a * b), AtMost(-4, b), AtMost(a, 9)};
  EXPECT_EQ(LowerBounds(system), (std::map<std::string, int64_t>{{"a", 4}, {"b", -4}}));
}

TEST(PolynomialConstraint, WhatFollowsFromBoundsHoldsAboveThem) {
  Random random(3);
  int follows = 0;
  for (int round = 0; round < 3000; ++round) {
    const auto coefficient = [&] { return Polynomial(static_cast<int64_t>(random.Below(9)) - 4); };
    const PolynomialConstraint constraint =
        AtMost(coefficient() * a * b + coefficient() * a, coefficient() * b + coefficient());
    const std::map<std::string, int64_t> bounds = {{"a", 1}, {"b", static_cast<int64_t>(random.Below(3))}};
    if (!FollowsFromBounds(constraint, bounds)) continue;
    ++follows;
    for (int64_t i = 0; i < 5; ++i) {
      for (int64_t k = 0; k < 5; ++k)
        EXPECT_TRUE(*constraint.Holds({{"a", bounds.at("a") + i}, {"b", bounds.at("b") + k}}));
    }
  }
  EXPECT_GT(follows, 50);
}

}  // namespace
}  // namespace tune
