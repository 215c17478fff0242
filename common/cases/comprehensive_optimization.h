// Algorithms 1 and 2 of "Comprehensive Optimization of Parametric Kernels for Graphics Processing Units".
#pragma once

#include <vector>

#include "common/cases/optimization_problem.h"
#include "common/constraints/consistency.h"

namespace tune {

// One edge of the tree of decisions (figure 5), or a strategy that was applied in the end.
struct CaseDecision {
  enum class Kind { kAccept, kRefuse, kAlways };
  Kind kind = Kind::kAccept;
  int counter = -1;                 // but of kAlways
  int strategy = -1;                // applied; but of kAccept
  PolynomialConstraint constraint;  // that the edge adds; but of kAlways
  bool operator==(const CaseDecision&) const = default;
};

// Section 3.6: (G(S), lambda(S), omega(S), gamma(S), C(S)).
struct Quintuple {
  std::vector<int> source;              // strategies applied to the source: with it they are the program
  std::vector<int> intermediate;        // strategies applied to the intermediate representation
  std::vector<int> left;                // strategies that are not applied, in their order
  std::vector<int> counters;            // that remain to be evaluated, the next one last
  ConstraintSystem constraints;         // those given, then one for each edge from the root
  std::vector<CaseDecision> decisions;  // from the root

  bool processed() const { return counters.empty(); }
  std::set<int> Applied() const;
};

// A leaf: the program under its conditions.
struct ProgramCase {
  std::set<int> applied;
  std::vector<CaseDecision> decisions;
  ConstraintSystem constraints;  // of the edges; what is given is not among them
  ConstraintSystem simplified;   // with the same solutions where what is given holds
  // Z3 could not tell whether the constraints have a solution.
  bool unknown = false;
  Point solution;  // else one
};

// The comprehensive optimisation of the problem: cases that exclude each other, in the order of the tree,
// accept edges first. Beyond the paper's text, counters that were accepted and that a later strategy may make
// worse are evaluated again, so that in each case every counter is accepted for the program that the case
// has. Systems without solutions are dropped; those of which it is not known are kept. RESOURCE_EXHAUSTED
// with more than `most` cases.
absl::StatusOr<std::vector<ProgramCase>> OptimizeComprehensively(const OptimizationProblem& problem,
                                                                 ConsistencySolver& solver,
                                                                 size_t most = 1000);

}  // namespace tune
