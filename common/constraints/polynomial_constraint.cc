#include "common/constraints/polynomial_constraint.h"

#include <algorithm>
#include <numeric>

#include "absl/strings/str_cat.h"

namespace tune {
namespace {

using Relation = PolynomialConstraint::Relation;

const char* RelationText(Relation relation) {
  switch (relation) {
    case Relation::kLessEqual:
      return "<=";
    case Relation::kLess:
      return "<";
    default:
      return "==";
  }
}

Polynomial TermOf(const Polynomial::Monomial& monomial, int64_t coefficient) {
  Polynomial term = coefficient;
  for (const auto& [name, exponent] : monomial) {
    for (int i = 0; i < exponent; ++i) term = term * Polynomial::Name(name);
  }
  return term;
}

// The largest integer that divides every coefficient; 1 of none.
int64_t CommonFactor(const Polynomial& polynomial) {
  int64_t factor = 0;
  for (const auto& [monomial, coefficient] : polynomial.terms()) factor = std::gcd(factor, coefficient);
  return std::max<int64_t>(factor, 1);
}

}  // namespace

absl::StatusOr<bool> PolynomialConstraint::Holds(const Point& point) const {
  TUNE_ASSIGN_OR_RETURN(const __int128 left_value, left.Evaluate(point));
  TUNE_ASSIGN_OR_RETURN(const __int128 right_value, right.Evaluate(point));
  switch (relation) {
    case Relation::kLessEqual:
      return left_value <= right_value;
    case Relation::kLess:
      return left_value < right_value;
    default:
      return left_value == right_value;
  }
}

PolynomialConstraint PolynomialConstraint::Negation() const {
  return {right, relation == Relation::kLessEqual ? Relation::kLess : Relation::kLessEqual, left};
}

PolynomialConstraint PolynomialConstraint::Normalised() const {
  const Polynomial difference = right - left;
  const int64_t factor = CommonFactor(difference);
  PolynomialConstraint normalised = {0, relation, 0};
  for (const auto& [monomial, coefficient] : difference.terms()) {
    if (coefficient > 0) {
      normalised.right = normalised.right + TermOf(monomial, coefficient / factor);
    } else {
      normalised.left = normalised.left + TermOf(monomial, -(coefficient / factor));
    }
  }
  return normalised;
}

std::string PolynomialConstraint::Text() const {
  return absl::StrCat(left.Text(), " ", RelationText(relation), " ", right.Text());
}

PolynomialConstraint AtMost(Polynomial left, Polynomial right) {
  return {std::move(left), Relation::kLessEqual, std::move(right)};
}

PolynomialConstraint Below(Polynomial left, Polynomial right) {
  return {std::move(left), Relation::kLess, std::move(right)};
}

PolynomialConstraint Equal(Polynomial left, Polynomial right) {
  return {std::move(left), Relation::kEqual, std::move(right)};
}

absl::StatusOr<bool> Holds(const ConstraintSystem& system, const Point& point) {
  for (const PolynomialConstraint& constraint : system) {
    TUNE_ASSIGN_OR_RETURN(const bool holds, constraint.Holds(point));
    if (!holds) return false;
  }
  return true;
}

std::set<std::string> NamesOf(const ConstraintSystem& system) {
  std::set<std::string> names;
  for (const PolynomialConstraint& constraint : system) {
    constraint.left.CollectNames(&names);
    constraint.right.CollectNames(&names);
  }
  return names;
}

std::map<std::string, int64_t> LowerBounds(const ConstraintSystem& system) {
  std::map<std::string, int64_t> bounds;
  for (const PolynomialConstraint& constraint : system) {
    const bool below = constraint.relation == Relation::kLess;
    std::set<std::string> names;
    constraint.right.CollectNames(&names);
    if (!constraint.left.IsConstant() || names.size() != 1) continue;
    const std::string& name = *names.begin();
    if (constraint.right != Polynomial::Name(name)) continue;
    const int64_t bound = constraint.left.ConstantTerm() + (below ? 1 : 0);
    const auto [place, added] = bounds.emplace(name, bound);
    if (!added) place->second = std::max(place->second, bound);
  }
  return bounds;
}

bool FollowsFromBounds(const PolynomialConstraint& constraint, const std::map<std::string, int64_t>& bounds) {
  if (constraint.relation == Relation::kEqual) return constraint.left == constraint.right;
  Polynomial excess = constraint.right - constraint.left;
  if (constraint.relation == Relation::kLess) excess = excess - 1;
  std::set<std::string> names;
  excess.CollectNames(&names);
  for (const std::string& name : names) {
    const auto bound = bounds.find(name);
    if (bound == bounds.end()) return false;
    excess = excess.Replace(name, Polynomial::Name(name) + bound->second);
  }
  return std::all_of(excess.terms().begin(), excess.terms().end(),
                     [](const auto& term) { return term.second >= 0; });
}

}  // namespace tune
