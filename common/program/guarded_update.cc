#include "common/program/guarded_update.h"

#include <algorithm>
#include <vector>

#include "common/array/element_type.h"
#include "common/program/atomic_update.h"
#include "common/program/statement_value.h"

namespace tune {
namespace {

// "-0.0", and as a complex number, whose parts are both -0.0, the conjugate of its conversion.
bool IsNegativeZero(const v1::Expression& value) {
  const v1::Operation& operation = value.operation();
  if (operation.operands_size() != 1) return false;
  const v1::Expression& operand = operation.operands(0);
  if (operation.op() == "~")
    return IsComplexType(operand.c_type()) && IsNegativeZero(operand.cast().operand());
  return operation.op() == "-" && (operand.literal() == "0.0" || operand.literal() == "0.0f");
}

// Of floating point x + -0.0 is x, and x + 0.0 is not where x is -0.0.
bool LeavesAsItIs(const v1::Expression& value, v1::UpdateOperator update, bool floating) {
  if (update == v1::MULTIPLY) return value.literal() == "1" && value.c_type() == "int";
  if (update != v1::ADD) return false;
  if (!floating) return value.literal() == "0" && value.c_type() == "int";
  return IsNegativeZero(value);
}

// The access of what the value is, where that is an element as a whole; -1 elsewhere.
int ElementOf(const v1::Expression& value) {
  if (value.has_access()) return value.access();
  return value.operation().op() == kElementOf ? value.operation().operands(0).access() : -1;
}

bool IsTarget(const v1::Statement& statement, const v1::Expression& value) {
  const int access = ElementOf(value);
  if (access < 0) return false;
  const v1::Access &target = statement.accesses(statement.target()), &read = statement.accesses(access);
  const std::vector<const v1::Expression*> subscripts = TargetSubscripts(statement);
  const auto& operands = value.operation().operands();
  const int given = std::max(0, operands.size() - 1);
  return read.array() == target.array() && read.relation() == target.relation() &&
         std::equal(subscripts.begin(), subscripts.end(), operands.begin() + (given > 0 ? 1 : 0),
                    operands.end(), [](const auto* a, const v1::Expression& b) { return IsSame(*a, b); });
}

}  // namespace

bool IsSame(const v1::Expression& a, const v1::Expression& b) {
  return a.SerializeAsString() == b.SerializeAsString();
}

const v1::Expression* GuardOf(const v1::Scop& scop, const v1::Statement& statement) {
  if (statement.kind() != v1::Statement::ASSIGN) return nullptr;
  const v1::Expression& value = AssignedValue(statement);
  const auto& operands = value.operation().operands();
  if (value.operation().op() != "?:" || operands.size() != 3) return nullptr;
  const bool floating = IsFloating(TargetType(scop, statement));
  const bool keeps = statement.update() == v1::NONE ? IsTarget(statement, operands[2])
                                                    : LeavesAsItIs(operands[2], statement.update(), floating);
  return keeps ? &operands[0] : nullptr;
}

bool TouchesOwnTarget(const v1::Statement& statement, const Instance& instance) {
  const ElementAccess& target = instance.accesses[statement.target()];
  if (target.array != statement.accesses(statement.target()).array()) return false;
  if (statement.update() != v1::NONE) return true;
  const v1::Expression& value = AssignedValue(statement);
  return instance.accesses[ElementOf(value.operation().operands(2))] == target;
}

}  // namespace tune
