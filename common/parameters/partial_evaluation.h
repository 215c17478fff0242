// What a constraint says while some of its parameters are bound.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "common/expression/evaluation_limits.h"
#include "common/expression/expression_node.h"

namespace tune {

// A constraint over parameters that are bound in an order. Values of the bound ones settle it, or leave a
// condition on the others: equal texts, equal conditions.
class PartialConstraint {
 public:
  // `level`: of each parameter, by its slot, its place in the order; those of the constraint are not
  // negative.
  PartialConstraint(const ExpressionNode& root, absl::Span<const int> level, const EvaluationLimits& limits);

  // Level of the parameter that is bound last.
  int last_level() const { return root_.last_level; }

  // With all parameters up to `level` bound to `slots`: whether it holds; nothing where that depends on
  // others, and then `condition` is what is left. INVALID_ARGUMENT with the column where it has no value;
  // only where all its parameters are bound.
  absl::StatusOr<std::optional<bool>> Check(absl::Span<const Value> slots, int level,
                                            std::string* condition) const;

 private:
  struct Part {
    const ExpressionNode* node = nullptr;  // of tree_
    std::vector<Part> operands;
    std::vector<int> slots;  // of the names that it uses, ascending
    int last_level = -1;     // -1: constant
  };
  struct Bound;

  static Part MakePart(const ExpressionNode& node, absl::Span<const int> level);

  std::shared_ptr<const ExpressionNode> tree_;
  Part root_;
  std::vector<int> level_;
  EvaluationLimits limits_;
  bool may_take_whole_ = true;  // True and 1 are the same to it
};

}  // namespace tune
