#include "worker/codegen/ast_expression.h"

#include <algorithm>

#include "absl/strings/match.h"

namespace tune {
namespace {

// C operator of isl's, or null when it is not a plain binary one.
const char* BinaryOperator(isl_ast_expr_op_type type) {
  switch (type) {
    case isl_ast_expr_op_and:
    case isl_ast_expr_op_and_then:
      return "&&";
    case isl_ast_expr_op_or:
    case isl_ast_expr_op_or_else:
      return "||";
    case isl_ast_expr_op_add:
      return "+";
    case isl_ast_expr_op_sub:
      return "-";
    case isl_ast_expr_op_mul:
      return "*";
    case isl_ast_expr_op_div:
    case isl_ast_expr_op_pdiv_q:
      return "/";
    case isl_ast_expr_op_pdiv_r:
    case isl_ast_expr_op_zdiv_r:
      return "%";
    case isl_ast_expr_op_eq:
      return "==";
    case isl_ast_expr_op_le:
      return "<=";
    case isl_ast_expr_op_lt:
      return "<";
    case isl_ast_expr_op_ge:
      return ">=";
    case isl_ast_expr_op_gt:
      return ">";
    default:
      return nullptr;
  }
}

}  // namespace

HelperNames ChooseHelperNames(const v1::Scop& scop) {
  std::string prefix = "tune_";
  const auto taken = [&](const auto& named) { return absl::StartsWith(named.name(), prefix); };
  while (std::any_of(scop.arrays().begin(), scop.arrays().end(), taken) ||
         std::any_of(scop.parameters().begin(), scop.parameters().end(), taken)) {
    prefix += "_";
  }
  return HelperNames(prefix);
}

std::string MacroDefinitions(const HelperNames& names, const std::set<std::string>& macros) {
  std::string text;
  if (macros.count(names.minimum)) {
    absl::StrAppend(&text, "#define ", names.minimum, "(x, y) ((x) < (y) ? (x) : (y))\n");
  }
  if (macros.count(names.maximum)) {
    absl::StrAppend(&text, "#define ", names.maximum, "(x, y) ((x) > (y) ? (x) : (y))\n");
  }
  if (macros.count(names.floor)) {
    absl::StrAppend(&text, "#define ", names.floor,
                    "(n, d) ((n) < 0 ? -((-(n) + (d)-1) / (d)) : (n) / (d))\n");
  }
  return text;
}

CText AstExpressionPrinter::Print(const isl::ast_expr& expression) {
  if (expression.isa<isl::ast_expr_int>()) {
    const std::string text = IslText(isl::manage(isl_ast_expr_get_val(expression.get())));
    return {text, text[0] == '-' ? CText::kUnary : CText::kPostfix};
  }
  if (expression.isa<isl::ast_expr_id>()) return PrintName(expression.as<isl::ast_expr_id>().id().name());
  return PrintOperation(expression.as<isl::ast_expr_op>());
}

CText AstExpressionPrinter::PrintName(const std::string& name) const {
  if (const auto fixed = fixed_iterators_.find(name); fixed != fixed_iterators_.end()) return fixed->second;
  if (const auto value = parameter_values_.find(name); value != parameter_values_.end()) {
    return {absl::StrCat(value->second), value->second < 0 ? CText::kUnary : CText::kPostfix};
  }
  return {name, CText::kPostfix};
}

CText AstExpressionPrinter::PrintOperation(const isl::ast_expr_op& operation) {
  const isl_ast_expr_op_type type = isl_ast_expr_op_get_type(operation.get());
  switch (type) {
    case isl_ast_expr_op_min:
      return PrintMacro(names_.minimum, operation);
    case isl_ast_expr_op_max:
      return PrintMacro(names_.maximum, operation);
    case isl_ast_expr_op_fdiv_q:
      return PrintMacro(names_.floor, operation);
    case isl_ast_expr_op_minus:
      return UnaryText("-", Print(operation.arg(0)));
    case isl_ast_expr_op_cond:
    case isl_ast_expr_op_select:
      return ConditionalText(Print(operation.arg(0)), Print(operation.arg(1)), Print(operation.arg(2)));
    case isl_ast_expr_op_access:
      return PrintAccess(operation);
    default:
      break;
  }
  const char* const op = BinaryOperator(type);
  if (op == nullptr) throw isl::exception("code generation: unexpected operator in a generated loop nest");
  CText text = Print(operation.arg(0));
  for (unsigned i = 1; i < operation.n_arg(); ++i) text = BinaryText(op, text, Print(operation.arg(i)));
  return text;
}

CText AstExpressionPrinter::PrintMacro(const std::string& macro, const isl::ast_expr_op& operation) {
  used_macros_.insert(macro);
  CText text = Print(operation.arg(operation.n_arg() - 1));
  for (int i = static_cast<int>(operation.n_arg()) - 2; i >= 0; --i) {
    text = CallText(macro, {Print(operation.arg(i)), text});
  }
  return text;
}

CText AstExpressionPrinter::PrintAccess(const isl::ast_expr& access) {
  const auto operation = access.as<isl::ast_expr_op>();
  std::vector<CText> subscripts;
  for (unsigned i = 1; i < operation.n_arg(); ++i) subscripts.push_back(Print(operation.arg(i)));
  return PrintElement(operation.arg(0).as<isl::ast_expr_id>().id().name(), subscripts);
}

CText AstExpressionPrinter::PrintElement(const std::string& array,
                                         const std::vector<CText>& subscripts) const {
  if (const auto print = element_printers_.find(array); print != element_printers_.end())
    return print->second(subscripts);
  const auto other = array_texts_.find(array);
  std::string text = other == array_texts_.end() ? array : other->second;
  for (const CText& subscript : subscripts) absl::StrAppend(&text, "[", subscript.text, "]");
  return {text, CText::kPostfix};
}

std::string AstExpressionPrinter::Undefinitions() const {
  std::string text;
  for (const std::string& macro : used_macros_) absl::StrAppend(&text, "#undef ", macro, "\n");
  return text;
}

}  // namespace tune
