#include "common/constraints/consistency.h"

#include <gtest/gtest.h>

#include "common/base/random.h"

namespace tune {
namespace {

const Polynomial x = Polynomial::Name("x"), y = Polynomial::Name("y"), z = Polynomial::Name("z");
const ConstraintSystem positive = {AtMost(1, x), AtMost(1, y), AtMost(1, z)};

ConstraintSystem And(ConstraintSystem system, const ConstraintSystem& more) {
  system.insert(system.end(), more.begin(), more.end());
  return system;
}

TEST(Consistency, SystemsOfCases) {
  ConsistencySolver solver;
  Point solution;
  EXPECT_EQ(
      solver.Check(And(positive, {Below(z, Polynomial(2) * x * y), AtMost(Polynomial(2) * x, z)}), &solution),
      Consistency::kConsistent);
  EXPECT_LT(solution.at("z"), 2 * solution.at("x") * solution.at("y"));
  EXPECT_GE(solution.at("z"), 2 * solution.at("x"));
  EXPECT_EQ(solver.Check(And(positive, {AtMost(x * y, z), Below(z, x * y)})), Consistency::kInconsistent);
  // x*y >= x as y >= 1.
  EXPECT_EQ(solver.Check(And(positive, {AtMost(x * y, z), Below(z, x)})), Consistency::kInconsistent);
}

TEST(Consistency, AgreesWithAllPointsOfABox) {
  Random random(4);
  ConsistencySolver solver;
  int consistent = 0, inconsistent = 0;
  for (int round = 0; round < 150; ++round) {
    ConstraintSystem system = {AtMost(0, x), AtMost(x, 6), AtMost(0, y), AtMost(y, 6)};
    for (int i = 0; i < 3; ++i) {
      const auto coefficient = [&] { return Polynomial(static_cast<int64_t>(random.Below(11)) - 5); };
      system.push_back(AtMost(coefficient() * x * y + coefficient() * x, coefficient() * y + coefficient()));
    }
    bool any = false;
    for (int64_t i = 0; i <= 6; ++i) {
      for (int64_t k = 0; k <= 6; ++k) any = any || *Holds(system, {{"x", i}, {"y", k}});
    }
    const Consistency answer = solver.Check(system);
    if (answer == Consistency::kUnknown) continue;
    EXPECT_EQ(answer == Consistency::kConsistent, any);
    ++(any ? consistent : inconsistent);
  }
  EXPECT_GT(consistent, 30);
  EXPECT_GT(inconsistent, 30);
}

TEST(Consistency, WhatWasFoundIsNotAskedAgain) {
  ConsistencySolver solver;
  const ConstraintSystem larger = And(positive, {AtMost(Polynomial(3) * y, x), Below(z, x * y)});
  const ConstraintSystem none = {Equal(x * x, 2)}, too = {AtMost(x, y), Equal(x * x, 2)};
  Point first, solution;
  EXPECT_EQ(solver.Check(larger, &first), Consistency::kConsistent);
  EXPECT_EQ(solver.Check(none), Consistency::kInconsistent);
  EXPECT_EQ(solver.Check(too), Consistency::kInconsistent);
  EXPECT_EQ(solver.questions(), 3);
  // A part of it, the same, and the same in another order.
  EXPECT_EQ(solver.Check(And(positive, {AtMost(y, x)}), &solution), Consistency::kConsistent);
  EXPECT_EQ(solution, first);
  EXPECT_EQ(solver.Check(none), Consistency::kInconsistent);
  EXPECT_EQ(solver.Check({too[1], too[0]}), Consistency::kInconsistent);
  EXPECT_EQ(solver.questions(), 3);
  // A solution without one of its names tells nothing of a system.
  Point other;
  EXPECT_EQ(solver.Check({AtMost(Polynomial::Name("w"), x)}, &other), Consistency::kConsistent);
  EXPECT_EQ(other.count("w"), 1);
  EXPECT_EQ(solver.questions(), 4);
}

// x^3 + y^3 + z^3 = 114 has no known solution.
TEST(Consistency, WhatIsTooHardIsUnknownAndImpliesNothing) {
  ConsistencySolver::Limits limits;
  limits.operations = 20'000;
  ConsistencySolver solver(limits);
  const ConstraintSystem hard = {Equal(x * x * x + y * y * y + z * z * z, 114)};
  EXPECT_EQ(solver.Check(hard), Consistency::kUnknown);
  EXPECT_FALSE(solver.Implies(hard, AtMost(x, 0)));
  EXPECT_EQ(solver.Simplify({}, And(hard, {AtMost(x, 0)})).size(), 2);
}

TEST(Consistency, SimplifiedSystemsSayWhatIsNeeded) {
  ConsistencySolver solver;
  const ConstraintSystem system = {AtMost(Polynomial(9) * x, y), Below(z, Polynomial(8) * x * y),
                                   Below(z, Polynomial(8) * x), AtMost(x, y), AtMost(1, z)};
  const ConstraintSystem simple = solver.Simplify(positive, system);
  ASSERT_EQ(simple.size(), 2);
  EXPECT_EQ(simple[0].Text(), "9*x <= y");
  EXPECT_EQ(simple[1].Text(), "z < 8*x");
}

TEST(Consistency, SimplifiedSystemsHaveTheSameSolutions) {
  Random random(5);
  ConsistencySolver solver;
  for (int round = 0; round < 20; ++round) {
    ConstraintSystem system;
    for (int i = 0; i < 4; ++i) {
      const auto coefficient = [&] { return Polynomial(static_cast<int64_t>(random.Below(6))); };
      system.push_back(
          AtMost(coefficient() * x * y + coefficient() * x, coefficient() * y + coefficient() * z));
    }
    const ConstraintSystem simple = solver.Simplify(positive, system);
    for (int point = 0; point < 200; ++point) {
      Point values;
      for (const char* name : {"x", "y", "z"}) values[name] = static_cast<int64_t>(1 + random.Below(12));
      EXPECT_EQ(*Holds(simple, values), *Holds(system, values));
    }
  }
}

}  // namespace
}  // namespace tune
