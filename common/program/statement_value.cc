#include "common/program/statement_value.h"

#include <algorithm>

#include "common/scop/expression_parts.h"

namespace tune {
namespace {

bool IsOperation(const v1::Expression& expression, const char* op) {
  return expression.has_operation() && expression.operation().op() == op &&
         expression.operation().operands_size() > 1;
}

void MarkElements(const v1::Expression& expression, std::vector<bool>* of_data) {
  if (IsOperation(expression, kElementOf)) {
    const int access = expression.operation().operands(0).access();
    if (access >= 0 && access < static_cast<int>(of_data->size())) (*of_data)[access] = true;
  }
  ForEachPart(expression, [&](const v1::Expression& part) { MarkElements(part, of_data); });
}

void Collect(const v1::Expression& expression, std::vector<const v1::Expression*>& found) {
  if (expression.has_affine()) found.push_back(&expression);
  ForEachPart(expression, [&](const v1::Expression& part) { Collect(part, found); });
}

}  // namespace

const v1::Expression& AssignedValue(const v1::Statement& statement) {
  const v1::Expression& value = statement.value();
  return IsOperation(value, kUpdateOf) ? value.operation().operands(0) : value;
}

std::vector<const v1::Expression*> TargetSubscripts(const v1::Statement& statement) {
  std::vector<const v1::Expression*> subscripts;
  if (!IsOperation(statement.value(), kUpdateOf)) return subscripts;
  const auto& operands = statement.value().operation().operands();
  for (int i = 1; i < operands.size(); ++i) subscripts.push_back(&operands[i]);
  return subscripts;
}

std::vector<bool> AreOfData(const v1::Statement& statement) {
  std::vector<bool> of_data(statement.accesses_size(), false);
  MarkElements(statement.value(), &of_data);
  if (IsOperation(statement.value(), kUpdateOf) && statement.target() >= 0 &&
      statement.target() < statement.accesses_size())
    of_data[statement.target()] = true;
  return of_data;
}

const v1::Statement* FindDataAccess(const v1::Scop& scop) {
  for (const v1::Statement& statement : scop.statements()) {
    const std::vector<bool> of_data = AreOfData(statement);
    if (std::find(of_data.begin(), of_data.end(), true) != of_data.end()) return &statement;
  }
  return nullptr;
}

std::vector<const v1::Expression*> AffineExpressions(const v1::Expression& value) {
  std::vector<const v1::Expression*> found;
  Collect(value, found);
  return found;
}

}  // namespace tune
