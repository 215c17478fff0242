#include "common/expression/expression.h"

#include <algorithm>

#include "common/expression/expression_parser.h"

namespace tune {
namespace {

bool IsIn(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// `variables`: those of the comprehensions around.
void CollectNames(const ExpressionNode& node, std::vector<std::string>* variables,
                  std::vector<std::string>* names) {
  if (node.kind == ExpressionNode::Kind::kName) {
    if (!IsIn(*variables, node.name) && !IsIn(*names, node.name)) names->push_back(node.name);
    return;
  }
  if (node.kind != ExpressionNode::Kind::kComprehension) {
    for (const ExpressionNode& operand : node.operands) CollectNames(operand, variables, names);
    return;
  }
  const size_t around = variables->size();
  for (size_t i = 0; i < node.clauses.size(); ++i) {
    CollectNames(node.operands[i + 1], variables, names);
    if (node.clauses[i].is_loop()) variables->push_back(node.clauses[i].variable);
  }
  CollectNames(node.operands[0], variables, names);
  variables->resize(around);
}

}  // namespace

absl::StatusOr<Expression> Expression::Parse(absl::string_view text) {
  TUNE_ASSIGN_OR_RETURN(ExpressionNode root, ParseExpression(text));
  return Expression(text, std::move(root));
}

std::vector<std::string> Expression::Names() const {
  std::vector<std::string> variables;
  std::vector<std::string> names;
  CollectNames(root_, &variables, &names);
  return names;
}

}  // namespace tune
