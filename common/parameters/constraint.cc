#include "common/parameters/constraint.h"

#include <algorithm>
#include <set>
#include <utility>

#include "common/base/plain_text.h"
#include "common/expression/name_resolution.h"

namespace tune {
namespace {

using Kind = ExpressionNode::Kind;

// Names from the `count`-th on are constants.
void InsertConstants(const std::vector<Value>& constants, int count, ExpressionNode* node) {
  if (node->kind == Kind::kName && node->slot >= count) {
    node->kind = Kind::kLiteral;
    node->literal = constants[node->slot - count];
  }
  for (ExpressionNode& operand : node->operands) InsertConstants(constants, count, &operand);
}

void CollectScope(const ExpressionNode& node, std::set<int>* scope) {
  if (node.kind == Kind::kName) scope->insert(node.slot);
  for (const ExpressionNode& operand : node.operands) CollectScope(operand, scope);
}

void AddConditions(ExpressionNode root, int source, std::vector<ParameterConstraint>* conditions) {
  if (root.kind == Kind::kAnd) {
    for (ExpressionNode& operand : root.operands) AddConditions(std::move(operand), source, conditions);
    return;
  }
  ParameterConstraint condition;
  condition.source = source;
  std::set<int> scope;
  CollectScope(root, &scope);
  condition.scope.assign(scope.begin(), scope.end());
  condition.root = std::move(root);
  conditions->push_back(std::move(condition));
}

}  // namespace

absl::StatusOr<std::vector<ParameterConstraint>> PrepareConstraints(
    const ParameterSpaceDescription& description) {
  std::vector<std::string> names;
  std::vector<Value> constants;
  for (const TuningParameter& parameter : description.parameters) names.push_back(parameter.name);
  for (const auto& [name, value] : description.constants) {
    names.push_back(name);
    constants.push_back(value);
  }
  std::vector<ParameterConstraint> conditions;
  for (size_t i = 0; i < description.constraints.size(); ++i) {
    const Expression& expression = description.constraints[i];
    absl::StatusOr<ExpressionNode> root = ResolveNames(expression.root(), names);
    if (!root.ok())
      return Annotate(root.status(), absl::StrCat("constraint \"", EscapeLine(expression.text()), "\""));
    InsertConstants(constants, static_cast<int>(description.parameters.size()), &*root);
    AddConditions(*std::move(root), static_cast<int>(i), &conditions);
  }
  return conditions;
}

std::string Describe(const ParameterSpaceDescription& description, const ParameterConstraint& constraint) {
  return absl::StrCat("constraint \"", EscapeLine(description.constraints[constraint.source].text()), "\"");
}

}  // namespace tune
