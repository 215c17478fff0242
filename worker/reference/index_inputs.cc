#include "worker/reference/index_inputs.h"

#include "common/program/statement_value.h"

namespace tune {
namespace {

// Adds the arrays that the expression reads.
void CollectArrays(const v1::Statement& statement, const v1::Expression& expression,
                   std::set<std::string>* arrays) {
  if (expression.has_access()) arrays->insert(statement.accesses(expression.access()).array());
  for (const v1::Expression& operand : expression.operation().operands())
    CollectArrays(statement, operand, arrays);
  for (const v1::Expression& argument : expression.call().arguments())
    CollectArrays(statement, argument, arrays);
  if (expression.has_cast()) CollectArrays(statement, expression.cast().operand(), arrays);
}

// Adds the arrays that its subscripts read.
void CollectIndices(const v1::Statement& statement, const v1::Expression& expression,
                    std::set<std::string>* arrays) {
  const std::string& op = expression.operation().op();
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
