#include "common/expression/name_resolution.h"

#include <algorithm>
#include <map>
#include <vector>

#include "absl/strings/str_join.h"

namespace tune {
namespace {

using Kind = ExpressionNode::Kind;

class NameResolver {
 public:
  explicit NameResolver(absl::Span<const std::string> names) : names_(names) {
    for (size_t i = 0; i < names.size(); ++i) slots_.emplace(names[i], static_cast<int>(i));
  }

  absl::Status Resolve(ExpressionNode* node) {
    if (node->kind == Kind::kName) return ResolveName(node);
    if (node->kind == Kind::kComprehension) return ResolveComprehension(node);
    for (ExpressionNode& operand : node->operands) TUNE_RETURN_IF_ERROR(Resolve(&operand));
    return absl::OkStatus();
  }

 private:
  struct Variable {
    std::string name;
    int slot;
    bool is_set;  // its `for` was passed
  };

  absl::Status ResolveName(ExpressionNode* node) {
    const auto variable = std::find_if(variables_.rbegin(), variables_.rend(),
                                       [&](const Variable& v) { return v.name == node->name; });
    if (variable != variables_.rend()) {
      if (!variable->is_set)
        return ExpressionError(node->column, absl::StrCat("\"", node->name, "\" is used before its \"for\""));
      node->kind = Kind::kLocal;
      node->slot = variable->slot;
      return absl::OkStatus();
    }
    const auto slot = slots_.find(node->name);
    if (slot == slots_.end()) {
      return ExpressionError(
          node->column,
          names_.empty() ? absl::StrCat("\"", node->name, "\" is no parameter here; there are none")
                         : absl::StrCat("\"", node->name,
                                        "\" is no parameter here; there are: ", absl::StrJoin(names_, ", ")));
    }
    node->slot = slot->second;
    return absl::OkStatus();
  }

  // What the first `for` goes through belongs to what is around; all else sees the variables.
  absl::Status ResolveComprehension(ExpressionNode* node) {
    TUNE_RETURN_IF_ERROR(Resolve(&node->operands[1]));
    const size_t around = variables_.size();
    const int first_slot = next_slot_;
    for (ExpressionNode::Clause& clause : node->clauses) {
      if (!clause.is_loop()) continue;
      const auto same = std::find_if(variables_.begin() + around, variables_.end(),
                                     [&](const Variable& v) { return v.name == clause.variable; });
      clause.slot = same != variables_.end() ? same->slot : next_slot_++;
      if (same == variables_.end()) variables_.push_back({clause.variable, clause.slot, false});
    }
    for (size_t i = 0; i < node->clauses.size(); ++i) {
      if (i > 0) TUNE_RETURN_IF_ERROR(Resolve(&node->operands[i + 1]));
      for (size_t v = around; v < variables_.size(); ++v) {
        if (variables_[v].slot == node->clauses[i].slot) variables_[v].is_set = true;
      }
    }
    TUNE_RETURN_IF_ERROR(Resolve(&node->operands[0]));
    variables_.resize(around);
    next_slot_ = first_slot;
    return absl::OkStatus();
  }

  absl::Span<const std::string> names_;
  std::map<std::string, int> slots_;
  std::vector<Variable> variables_;  // of the comprehensions around
  int next_slot_ = 0;
};

}  // namespace

absl::StatusOr<ExpressionNode> ResolveNames(ExpressionNode root, absl::Span<const std::string> names) {
  TUNE_RETURN_IF_ERROR(NameResolver(names).Resolve(&root));
  return root;
}

}  // namespace tune
