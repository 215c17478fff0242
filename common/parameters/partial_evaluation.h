// What a constraint says while some of its parameters are bound.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "common/expression/evaluation_limits.h"
#include "common/expression/expression_node.h"
#include "common/parameters/value_range.h"

namespace tune {

// A constraint over parameters that are bound in an order. Values of the bound ones settle it, or leave a
// condition on the others: equal texts, equal conditions.
class PartialConstraint {
 public:
  // `level`: of each parameter, by its slot, its place in the order; those of the constraint are not
  // negative. `ranges`: of each parameter, where all its values are whole numbers.
  PartialConstraint(const ExpressionNode& root, absl::Span<const int> level,
                    absl::Span<const std::optional<ValueRange>> ranges, const EvaluationLimits& limits);

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
    bool has_range = false;  // names have ranges, and operators may have
  };
  struct Bound;

  Part MakePart(const ExpressionNode& node) const;

  std::vector<int> level_;
  std::vector<std::optional<ValueRange>> ranges_;
  std::shared_ptr<const ExpressionNode> tree_;
  Part root_;
  EvaluationLimits limits_;
  bool may_take_whole_ = true;  // True and 1 are the same to it
};

}  // namespace tune
