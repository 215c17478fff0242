// Whether systems of polynomial constraints have solutions, by Z3 (de Moura and Bjorner, TACAS 2008).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/constraints/polynomial_constraint.h"

namespace tune {

// Non-linear arithmetic of integers is undecidable: there is a third answer.
enum class Consistency { kConsistent, kInconsistent, kUnknown };

// Of one thread.
class ConsistencySolver {
 public:
  struct Limits {
    // Z3's own count of its work: the same question has the same answer on every machine.
    unsigned operations = 300'000;
    // For what that count does not see; a question that takes so long is unknown.
    unsigned milliseconds = 10'000;
  };
  ConsistencySolver() : ConsistencySolver(Limits()) {}
  explicit ConsistencySolver(const Limits& limits);
  ~ConsistencySolver();

  // Unknowns are integers. kConsistent only with a solution that was put into the system and holds, which is
  // then in `*solution` (may be null); kUnknown also where Z3 fails. What was found before is not looked for
  // again: most systems of a case discussion are parts of others.
  Consistency Check(const ConstraintSystem& system, Point* solution = nullptr);

  // True when every solution of the system satisfies the inequality; false when not, or not known.
  bool Implies(const ConstraintSystem& system, const PolynomialConstraint& inequality);

  // The same solutions, in constraints that are normalised and of which none is known to follow from the
  // others. `given` holds anyway and is not among them.
  ConstraintSystem Simplify(const ConstraintSystem& given, const ConstraintSystem& system);

  int64_t questions() const { return questions_; }  // that Z3 was asked

 private:
  struct State;
  const Point* FindSolution(const ConstraintSystem& system) const;
  Consistency Ask(const ConstraintSystem& system, Point* solution);

  std::unique_ptr<State> state_;
  std::vector<Point> solutions_;                                   // of all systems that have one
  std::map<std::set<std::string>, Consistency> without_solution_;  // by the texts of their constraints
  int64_t questions_ = 0;
};

}  // namespace tune
