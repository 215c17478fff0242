// Polynomial equations and inequalities between integers, and their conjunctions.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/constraints/polynomial.h"

namespace tune {

// left relation right.
struct PolynomialConstraint {
  enum class Relation { kLessEqual, kLess, kEqual };
  Polynomial left;
  Relation relation = Relation::kLessEqual;
  Polynomial right;
  bool operator==(const PolynomialConstraint&) const = default;

  // Errors of Polynomial::Evaluate.
  absl::StatusOr<bool> Holds(const Point& point) const;
  // Of an inequality. Precondition: not an equation.
  PolynomialConstraint Negation() const;
  // What both sides have in common, terms and factors, is taken away, and terms stand where they are
  // positive: B0*B1 <= T of -2*T <= -2*B0*B1.
  PolynomialConstraint Normalised() const;
  // "32*B0*B1 <= Z"
  std::string Text() const;
};

PolynomialConstraint AtMost(Polynomial left, Polynomial right);
PolynomialConstraint Below(Polynomial left, Polynomial right);
PolynomialConstraint Equal(Polynomial left, Polynomial right);

// All of them hold.
using ConstraintSystem = std::vector<PolynomialConstraint>;

// Errors of Polynomial::Evaluate.
absl::StatusOr<bool> Holds(const ConstraintSystem& system, const Point& point);

// Unknowns of the system.
std::set<std::string> NamesOf(const ConstraintSystem& system);

// Greatest lower bounds that constraints on one name alone tell: 1 of "1 <= B0".
std::map<std::string, int64_t> LowerBounds(const ConstraintSystem& system);

// True when the constraint follows from lower bounds alone: as a polynomial of what each name exceeds its
// bound by it has no negative coefficient. False tells nothing.
bool FollowsFromBounds(const PolynomialConstraint& constraint, const std::map<std::string, int64_t>& bounds);

}  // namespace tune
