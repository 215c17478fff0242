#include "common/cases/case_tree.h"

#include <numeric>

namespace tune {
namespace {

class TreeMaker {
 public:
  TreeMaker(const std::vector<ProgramCase>& cases, ConsistencySolver& solver)
      : cases_(cases), solver_(solver) {}

  // Of the cases `among`, whose first `depth` decisions are the same. `known` holds.
  CaseTree Make(const std::vector<int>& among, size_t depth, const ConstraintSystem& known) {
    const CaseDecision* decision = DecisionAt(among[0], depth);
    if (decision == nullptr) {
      CaseTree leaf;
      leaf.leaf = among[0];
      return leaf;
    }
    const bool accept = decision->kind == CaseDecision::Kind::kAccept;
    const PolynomialConstraint condition = accept ? decision->constraint : decision->constraint.Negation();
    std::vector<int> accepting, refusing;
    for (const int number : among) {
      const bool accepts = DecisionAt(number, depth)->kind == CaseDecision::Kind::kAccept;
      (accepts ? accepting : refusing).push_back(number);
    }
    CaseTree tree;
    if (refusing.empty() && solver_.Implies(known, condition)) return Make(accepting, depth + 1, known);
    if (accepting.empty() && solver_.Implies(known, condition.Negation()))
      return Make(refusing, depth + 1, known);
    tree.condition = condition.Normalised();
    if (!accepting.empty()) tree.holds.push_back(Make(accepting, depth + 1, And(known, condition)));
    if (!refusing.empty()) tree.fails.push_back(Make(refusing, depth + 1, And(known, condition.Negation())));
    return tree;
  }

 private:
  // Null behind the last one of the tree.
  const CaseDecision* DecisionAt(int number, size_t depth) const {
    const std::vector<CaseDecision>& decisions = cases_[number].decisions;
    if (depth >= decisions.size() || decisions[depth].kind == CaseDecision::Kind::kAlways) return nullptr;
    return &decisions[depth];
  }

  static ConstraintSystem And(ConstraintSystem system, const PolynomialConstraint& constraint) {
    system.push_back(constraint);
    return system;
  }

  const std::vector<ProgramCase>& cases_;
  ConsistencySolver& solver_;
};

}  // namespace

absl::StatusOr<int> CaseTree::Find(const Point& point) const {
  const CaseTree* tree = this;
  while (tree->condition) {
    TUNE_ASSIGN_OR_RETURN(const bool holds, tree->condition->Holds(point));
    const std::vector<CaseTree>& next = holds ? tree->holds : tree->fails;
    if (next.empty()) return -1;
    tree = &next[0];
  }
  return tree->leaf;
}

CaseTree MakeCaseTree(const ConstraintSystem& given, const std::vector<ProgramCase>& cases,
                      ConsistencySolver& solver) {
  std::vector<int> all(cases.size());
  std::iota(all.begin(), all.end(), 0);
  return TreeMaker(cases, solver).Make(all, 0, given);
}

}  // namespace tune
