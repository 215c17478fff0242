#include "client/extract/integers/integer_function.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <algorithm>
#include <map>
#include <string>

namespace tune {
namespace {

struct NamedFunction {
  IntegerFunction function;
  unsigned arguments;
};

NamedFunction FunctionNamed(const std::string& name) {
  static const auto* const kFunctions = new std::map<std::string, NamedFunction>{
      {"min", {IntegerFunction::kMin, 2}},
      {"max", {IntegerFunction::kMax, 2}},
      {"imin", {IntegerFunction::kMin, 2}},
      {"imax", {IntegerFunction::kMax, 2}},
      {"floord", {IntegerFunction::kFloorDivision, 2}},
      {"ceild", {IntegerFunction::kCeilingDivision, 2}},
      {"abs", {IntegerFunction::kAbsolute, 1}},
      {"labs", {IntegerFunction::kAbsolute, 1}},
      {"llabs", {IntegerFunction::kAbsolute, 1}},
      {"__builtin_abs", {IntegerFunction::kAbsolute, 1}},
      {"__builtin_labs", {IntegerFunction::kAbsolute, 1}},
      {"__builtin_llabs", {IntegerFunction::kAbsolute, 1}},
  };
  const auto found = kFunctions->find(name);
  return found == kFunctions->end() ? NamedFunction{IntegerFunction::kNone, 0} : found->second;
}

// Of a function that was not declared: C takes it for one of ints where the arguments are.
bool IsOfInts(const clang::ASTContext& ast, const clang::CallExpr& call) {
  return std::all_of(call.arg_begin(), call.arg_end(), [&](const clang::Expr* argument) {
    return ast.hasSameUnqualifiedType(argument->getType(), ast.IntTy);
  });
}

}  // namespace

IntegerFunction IntegerFunctionOf(const clang::ASTContext& ast, const clang::CallExpr& call) {
  const clang::FunctionDecl* function = call.getDirectCallee();
  if (function == nullptr || function->hasBody() || function->isVariadic()) return IntegerFunction::kNone;
  const NamedFunction named = FunctionNamed(function->getNameAsString());
  if (named.function == IntegerFunction::kNone || call.getNumArgs() != named.arguments)
    return IntegerFunction::kNone;
  if (!function->hasPrototype())
    return function->isImplicit() && IsOfInts(ast, call) ? named.function : IntegerFunction::kNone;
  const clang::QualType type = function->getReturnType();
  const bool wide = type->isSignedIntegerType() && ast.getTypeSize(type) >= ast.getTypeSize(ast.IntTy);
  if (!wide) return IntegerFunction::kNone;
  for (const clang::ParmVarDecl* parameter : function->parameters()) {
    if (!ast.hasSameUnqualifiedType(parameter->getType(), type)) return IntegerFunction::kNone;
  }
  return named.function;
}

}  // namespace tune
