#include "worker/reference/index_inputs.h"

#include <algorithm>

#include "common/program/statement_value.h"
#include "common/scop/expression_parts.h"

namespace tune {
namespace {

// Adds the arrays that the expression reads.
void CollectArrays(const v1::Statement& statement, const v1::Expression& expression,
                   std::set<std::string>* arrays) {
  if (expression.has_access()) arrays->insert(statement.accesses(expression.access()).array());
  ForEachPart(expression, [&](const v1::Expression& part) { CollectArrays(statement, part, arrays); });
}

bool HasDataElement(const v1::Expression& expression) {
  if (expression.operation().op() == kElementOf) return true;
  const auto has = [](const auto& parts) { return std::any_of(parts.begin(), parts.end(), HasDataElement); };
  return has(expression.operation().operands()) || has(expression.call().arguments()) ||
         (expression.has_cast() && HasDataElement(expression.cast().operand()));
}

// Whether the first operand decides about an element in the others.
bool DecidesAboutElements(const v1::Operation& operation) {
  if (operation.op() != "?:" && operation.op() != "&&" && operation.op() != "||") return false;
  const auto& operands = operation.operands();
  return std::any_of(operands.begin() + 1, operands.end(), HasDataElement);
}

// Adds the arrays that its subscripts read, and conditions for which it accesses such elements at all.
void CollectIndices(const v1::Statement& statement, const v1::Expression& expression,
                    std::set<std::string>* arrays) {
  const std::string& op = expression.operation().op();
  if (DecidesAboutElements(expression.operation()))
    CollectArrays(statement, expression.operation().operands(0), arrays);
  for (int i = 0; i < expression.operation().operands_size(); ++i) {
    const v1::Expression& operand = expression.operation().operands(i);
    if (i > 0 && (op == kElementOf || op == kUpdateOf)) CollectArrays(statement, operand, arrays);
    CollectIndices(statement, operand, arrays);
  }
  for (const v1::Expression& argument : expression.call().arguments())
    CollectIndices(statement, argument, arrays);
  if (expression.has_cast()) CollectIndices(statement, expression.cast().operand(), arrays);
}

}  // namespace

std::set<std::string> ArraysThatIndex(const v1::Scop& scop) {
  std::set<std::string> arrays;
  for (const v1::Statement& statement : scop.statements())
    CollectIndices(statement, statement.value(), &arrays);
  // What such arrays are computed from.
  for (size_t before = 0; before != arrays.size();) {
    before = arrays.size();
    for (const v1::Statement& statement : scop.statements()) {
      if (statement.kind() == v1::Statement::ASSIGN &&
          arrays.count(statement.accesses(statement.target()).array()) > 0)
        CollectArrays(statement, statement.value(), &arrays);
    }
  }
  return arrays;
}

}  // namespace tune
