// What isl's C++ interface leaves out of its syntax trees. Every function throws isl::exception.
#pragma once

#include <string>
#include <vector>

#include "common/isl/isl.h"

namespace tune {

// A builder for the parameters of `context`, whose loops have these names, outermost first. It knows minimum
// and maximum, and makes one bound of those that it can.
isl::ast_build MakeBuild(const isl::set& context, const std::vector<std::string>& iterators);

// What was attached to the node.
inline isl::id Annotation(const isl::ast_node& node) {
  return isl::manage(isl_ast_node_get_annotation(node.get()));
}
inline isl::ast_node WithAnnotation(isl::ast_node node, isl::id annotation) {
  return isl::manage(isl_ast_node_set_annotation(node.release(), annotation.release()));
}

// array[subscript]...
isl::ast_expr AccessExpression(const isl::id& array, const std::vector<isl::ast_expr>& subscripts);

inline isl_ast_expr_op_type OperatorType(const isl::ast_expr_op& operation) {
  return isl_ast_expr_op_get_type(operation.get());
}

}  // namespace tune
