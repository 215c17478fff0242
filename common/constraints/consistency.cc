#include "common/constraints/consistency.h"

#include <z3++.h>

#include <algorithm>

#include "absl/strings/numbers.h"

namespace tune {

struct ConsistencySolver::State {
  z3::context context;
  Limits limits;

  z3::expr Expression(const Polynomial& polynomial) {
    z3::expr sum = context.int_val(0);
    for (const auto& [monomial, coefficient] : polynomial.terms()) {
      z3::expr product = context.int_val(coefficient);
      for (const auto& [name, exponent] : monomial) {
        for (int i = 0; i < exponent; ++i) product = product * context.int_const(name.c_str());
      }
      sum = sum + product;
    }
    return sum;
  }

  z3::expr Formula(const PolynomialConstraint& constraint) {
    const z3::expr left = Expression(constraint.left), right = Expression(constraint.right);
    switch (constraint.relation) {
      case PolynomialConstraint::Relation::kLessEqual:
        return left <= right;
      case PolynomialConstraint::Relation::kLess:
        return left < right;
      default:
        return left == right;
    }
  }

  // Whether all names have values of 64 bits.
  bool Read(const z3::model& model, const std::set<std::string>& names, Point* solution) {
    for (const std::string& name : names) {
      const z3::expr value = model.eval(context.int_const(name.c_str()), /*model_completion=*/true);
      int64_t number = 0;
      if (!value.is_numeral() || !absl::SimpleAtoi(value.get_decimal_string(0), &number)) return false;
      (*solution)[name] = number;
    }
    return true;
  }
};

ConsistencySolver::ConsistencySolver(const Limits& limits) : state_(std::make_unique<State>()) {
  state_->limits = limits;
}

ConsistencySolver::~ConsistencySolver() = default;

Consistency ConsistencySolver::Check(const ConstraintSystem& system, Point* solution) {
  const std::map<std::string, int64_t> bounds = LowerBounds(system);
  for (const PolynomialConstraint& constraint : system) {
    if (constraint.relation != PolynomialConstraint::Relation::kEqual &&
        FollowsFromBounds(constraint.Negation(), bounds))
      return Consistency::kInconsistent;
  }
  if (const Point* const known = FindSolution(system); known != nullptr) {
    if (solution != nullptr) *solution = *known;
    return Consistency::kConsistent;
  }
  std::set<std::string> texts;
  for (const PolynomialConstraint& constraint : system) texts.insert(constraint.Text());
  const auto answered = without_solution_.find(texts);
  if (answered != without_solution_.end()) return answered->second;
  Point point;
  const Consistency answer = Ask(system, &point);
  if (answer != Consistency::kConsistent) return without_solution_[std::move(texts)] = answer;
  if (solution != nullptr) *solution = point;
  solutions_.push_back(std::move(point));
  return answer;
}

// Null where none is known.
const Point* ConsistencySolver::FindSolution(const ConstraintSystem& system) const {
  for (const Point& point : solutions_) {
    const absl::StatusOr<bool> holds = Holds(system, point);  // an error where it lacks a name
    if (holds.ok() && *holds) return &point;
  }
  return nullptr;
}

Consistency ConsistencySolver::Ask(const ConstraintSystem& system, Point* solution) {
  ++questions_;
  try {
    z3::solver solver(state_->context);
    z3::params params(state_->context);
    params.set("rlimit", state_->limits.operations);
    params.set("timeout", state_->limits.milliseconds);
    solver.set(params);
    for (const PolynomialConstraint& constraint : system) solver.add(state_->Formula(constraint));
    switch (solver.check()) {
      case z3::unsat:
        return Consistency::kInconsistent;
      case z3::sat: {
        if (!state_->Read(solver.get_model(), NamesOf(system), solution)) return Consistency::kUnknown;
        const absl::StatusOr<bool> holds = Holds(system, *solution);
        return holds.ok() && *holds ? Consistency::kConsistent : Consistency::kUnknown;
      }
      default:
        return Consistency::kUnknown;
    }
  } catch (const z3::exception&) {
    return Consistency::kUnknown;
  }
}

bool ConsistencySolver::Implies(const ConstraintSystem& system, const PolynomialConstraint& inequality) {
  if (FollowsFromBounds(inequality, LowerBounds(system))) return true;
  ConstraintSystem contradiction = system;
  contradiction.push_back(inequality.Negation());
  return Check(contradiction) == Consistency::kInconsistent;
}

ConstraintSystem ConsistencySolver::Simplify(const ConstraintSystem& given, const ConstraintSystem& system) {
  ConstraintSystem kept;
  for (const PolynomialConstraint& constraint : system) {
    const PolynomialConstraint normalised = constraint.Normalised();
    if (std::find(kept.begin(), kept.end(), normalised) == kept.end()) kept.push_back(normalised);
  }
  // What was said first is looked at first: later conditions of a path are the tighter ones.
  for (size_t i = 0; i < kept.size();) {
    ConstraintSystem others = given;
    for (size_t k = 0; k < kept.size(); ++k) {
      if (k != i) others.push_back(kept[k]);
    }
    const bool equation = kept[i].relation == PolynomialConstraint::Relation::kEqual;
    if (!equation && Implies(others, kept[i])) {
      kept.erase(kept.begin() + i);
    } else {
      ++i;
    }
  }
  return kept;
}

}  // namespace tune
