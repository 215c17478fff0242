#include "common/program/atomic_update.h"

#include <string>

#include "absl/strings/numbers.h"
#include "common/array/element_type.h"
#include "common/program/statement_value.h"

namespace tune {
namespace {

constexpr size_t kSmallestAtomic = 4;  // bytes

bool IsFloating(const std::string& c_type) {
  return c_type == "float" || c_type == "double" || c_type == kHalfType || IsComplexType(c_type);
}

// Whether C computes x + value in the type of x, or what comes of it is the same: a double that is a float,
// added to one, is rounded as their sum in float is (Figueroa 1995).
bool IsAddedInType(const v1::Expression& value, v1::ElementType type) {
  if (type != v1::ELEMENT_TYPE_FLOAT || value.c_type() != "double") return true;
  double number = 0;
  return value.has_literal() && absl::SimpleAtod(value.literal(), &number) &&
         static_cast<double>(static_cast<float>(number)) == number;
}

}  // namespace

bool HasAtomicOperation(v1::UpdateOperator update, v1::ElementType type) {
  if (IsComplex(type)) return false;
  return update == v1::ADD || (!IsFloating(type) && (update == v1::MIN || update == v1::MAX));
}

bool HasExchange(v1::ElementType type) { return ElementSize(type) >= kSmallestAtomic && !IsComplex(type); }

v1::ElementType TargetType(const v1::Scop& scop, const v1::Statement& statement) {
  const std::string& name = statement.accesses(statement.target()).array();
  for (const v1::Array& array : scop.arrays()) {
    if (array.name() == name) return array.element_type();
  }
  return v1::ELEMENT_TYPE_UNSPECIFIED;
}

bool IsAtomicUpdate(const v1::Scop& scop, const v1::Statement& statement) {
  if (statement.update() == v1::NONE || TargetSubscripts(statement).empty()) return false;
  const v1::ElementType type = TargetType(scop, statement);
  const v1::Expression& value = AssignedValue(statement);
  if (ElementSize(type) < kSmallestAtomic || !HasAtomicOperation(statement.update(), type)) return false;
  if (statement.update() != v1::ADD) return value.c_type() == ElementCType(type);
  return IsFloating(type) ? IsAddedInType(value, type) : !IsFloating(value.c_type());
}

}  // namespace tune
