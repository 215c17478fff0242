// Scops whose sums are exact.
#pragma once

#include "tune/v1/scop.pb.h"

namespace tune::testing {

inline void MakeInteger(v1::Expression* value) {
  value->set_c_type("int");
  if (!value->has_operation()) return;
  for (v1::Expression& operand : *value->mutable_operation()->mutable_operands()) MakeInteger(&operand);
}

// Integers have the same sums in every order.
inline v1::Scop OfIntegers(v1::Scop scop) {
  for (v1::Array& array : *scop.mutable_arrays()) array.set_element_type(v1::ELEMENT_TYPE_INT);
  for (v1::Statement& statement : *scop.mutable_statements()) MakeInteger(statement.mutable_value());
  return scop;
}

}  // namespace tune::testing
