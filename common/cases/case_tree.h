// Cases as a tree of conditions, which finds the one that holds.
#pragma once

#include <optional>
#include <vector>

#include "common/cases/comprehensive_optimization.h"

namespace tune {

struct CaseTree {
  // Of an inner node; a leaf has none.
  std::optional<PolynomialConstraint> condition;
  std::vector<CaseTree> holds, fails;  // one tree, or none where no case is left: nothing runs there
  int leaf = -1;                       // of a leaf: its place in the cases

  // The only case whose constraints hold at the point, by as many conditions as the path has; -1: there is
  // none. Errors of Polynomial::Evaluate.
  absl::StatusOr<int> Find(const Point& point) const;
};

// Where what is given holds. Conditions that follow from those above them are left out. Precondition: there
// are cases, as OptimizeComprehensively returns them.
CaseTree MakeCaseTree(const ConstraintSystem& given, const std::vector<ProgramCase>& cases,
                      ConsistencySolver& solver);

}  // namespace tune
