#include "client/extract/statements/complex_value.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>

#include <map>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/strip.h"
#include "client/extract/arrays/array_shape.h"
#include "common/array/element_type.h"
#include "common/scop/expression_parts.h"

namespace tune {
namespace {

// The operator that does what the function does; empty for others.
std::string OperatorOf(const clang::CallExpr& call) {
  static const auto* const kOperators = new std::map<std::string, std::string, std::less<>>{
      {"creal", kRealPart}, {"cimag", kImaginaryPart}, {"conj", "~"}};
  const clang::FunctionDecl* function = call.getDirectCallee();
  if (function == nullptr || function->getIdentifier() == nullptr) return "";
  const std::string full = function->getNameAsString();
  const absl::string_view name = absl::StripPrefix(full, "__builtin_");
  const auto found = kOperators->find(absl::StripSuffix(name, "f"));
  return found == kOperators->end() ? "" : found->second;
}

}  // namespace

bool IsComplexConversion(const clang::CastExpr& cast) {
  return cast.getCastKind() == clang::CK_FloatingRealToComplex ||
         cast.getCastKind() == clang::CK_FloatingComplexToReal ||
         cast.getCastKind() == clang::CK_FloatingComplexCast;
}

const clang::Expr& WithoutImaginaryZero(const clang::Expr& operand) {
  const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(operand.IgnoreParens());
  const bool is_real = cast != nullptr && cast->getCastKind() == clang::CK_FloatingRealToComplex;
  return is_real ? *cast->getSubExpr() : operand;
}

bool IsPartOfComplex(const clang::CallExpr& call) {
  return call.getNumArgs() == 1 && call.getArg(0)->getType()->isAnyComplexType() && !OperatorOf(call).empty();
}

v1::Expression PartOfComplex(const clang::ASTContext& ast, const clang::CallExpr& call,
                             v1::Expression argument) {
  argument = ConvertedTo(ValueTypeName(ast, call.getArg(0)->getType()), std::move(argument));
  return MakeOperation(ValueTypeName(ast, call.getType()), OperatorOf(call), {std::move(argument)});
}

}  // namespace tune
