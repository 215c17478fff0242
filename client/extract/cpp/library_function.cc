#include "client/extract/cpp/library_function.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Basic/SourceManager.h>

#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "client/extract/tree/tree_changes.h"
#include "common/scop/c_functions.h"

namespace tune {
namespace {

using Operands = std::vector<clang::Expr*>;

class LibraryCall {
 public:
  LibraryCall(clang::ASTContext& ast, clang::CallExpr& call, const clang::FunctionDecl& function)
      : ast_(ast), call_(call), name_(function.getNameAsString()), function_(function) {}

  clang::Expr* Lower() {
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&function_);
    if (method != nullptr) return method->isStatic() && call_.getNumArgs() == 0 ? Constant() : nullptr;
    if (function_.isExternC()) return OfC();
    if (!function_.isInStdNamespace() && !IsOfSystem(function_)) return nullptr;
    if (name_ == "min" || name_ == "max" || name_ == "clamp") return Choice();
    return OfMath();
  }

 private:
  bool Is(clang::QualType type, clang::CanQualType other) const {
    return ast_.hasSameUnqualifiedType(type, other);
  }

  // A function of C keeps its name, with which C++ may mean another one elsewhere.
  clang::Expr* OfC() {
    if (!IsPureFunction(name_)) return nullptr;
    return Call(absl::StrCat("__builtin_", absl::StripPrefix(name_, "__builtin_")), call_.getType());
  }

  // One of those of one name for float, double and integers.
  clang::Expr* OfMath() {
    if (call_.getNumArgs() == 0 || function_.getNumParams() != call_.getNumArgs()) return nullptr;
    const clang::QualType first = function_.getParamDecl(0)->getType().getCanonicalType();
    static const auto* const kClassifications =
        new std::set<std::string>{"isnan", "isinf", "isfinite", "signbit"};
    if (kClassifications->count(name_) > 0) {
      if (!Is(first, ast_.FloatTy) && !Is(first, ast_.DoubleTy)) return nullptr;
      return Converted(ast_, Call("__builtin_" + name_, ast_.IntTy), call_.getType());
    }
    if (name_ == "abs" && first->isIntegerType()) {
      if (!Is(call_.getType(), ast_.IntTy) && !Is(call_.getType(), ast_.LongTy) &&
          !Is(call_.getType(), ast_.LongLongTy))
        return nullptr;
      const std::string size = Is(call_.getType(), ast_.IntTy)    ? ""
                               : Is(call_.getType(), ast_.LongTy) ? "l"
                                                                  : "ll";
      return Call(absl::StrCat("__builtin_", size, "abs"), call_.getType());
    }
    const clang::QualType decides = call_.getType()->isFloatingType() ? call_.getType() : first;
    if (decides->isFloatingType() && !Is(decides, ast_.FloatTy) && !Is(decides, ast_.DoubleTy))
      return nullptr;
    const std::string name =
        absl::StrCat(name_ == "abs" ? "fabs" : name_, Is(decides, ast_.FloatTy) ? "f" : "");
    if (ArgumentsOf(name) != static_cast<int>(call_.getNumArgs())) return nullptr;
    return Call("__builtin_" + name, call_.getType());
  }

  // min: b < a ? b : a; max: a < b ? b : a; clamp: v < lo ? lo : hi < v ? hi : v.
  clang::Expr* Choice() {
    const unsigned count = call_.getNumArgs();
    if (count != (name_ == "clamp" ? 3u : 2u) || !call_.getType()->isArithmeticType()) return nullptr;
    Operands values;
    for (clang::Expr* argument : call_.arguments()) {
      clang::Expr* value = ChosenValue(argument);
      if (value == nullptr || value->HasSideEffects(ast_) ||
          !ast_.hasSameUnqualifiedType(value->getType(), call_.getType()))
        return nullptr;
      values.push_back(value);
    }
    if (name_ == "min") return Either(values[1], values[0], values[1], values[0]);
    if (name_ == "max") return Either(values[0], values[1], values[1], values[0]);
    return Either(values[0], values[1], values[1], Either(values[2], values[0], values[2], values[0]));
  }

  // An argument, which may be such a choice itself. A conversion to the parameter's type is written out:
  // there is none in a choice of values.
  clang::Expr* ChosenValue(clang::Expr* argument) {
    clang::Expr* bare = argument->IgnoreParens();
    if (auto* inner = llvm::dyn_cast<clang::CallExpr>(bare); inner != nullptr && inner->isGLValue())
      return LowerLibraryCall(ast_, *inner);
    const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(bare);
    if (cast == nullptr || bare->isGLValue() ||
        ast_.hasSameUnqualifiedType(cast->getSubExpr()->getType(), bare->getType()))
      return Value(argument);
    const clang::SourceLocation place = call_.getBeginLoc();
    const clang::QualType type = bare->getType().getUnqualifiedType();
    return clang::CStyleCastExpr::Create(ast_, type, clang::VK_PRValue, clang::CK_NoOp, bare, nullptr,
                                         clang::FPOptionsOverride(),
                                         ast_.getTrivialTypeSourceInfo(type, place), place, place);
  }

  // left < right ? then : otherwise
  clang::Expr* Either(clang::Expr* left, clang::Expr* right, clang::Expr* then, clang::Expr* otherwise) {
    const clang::SourceLocation place = call_.getBeginLoc();
    clang::Expr* less =
        clang::BinaryOperator::Create(ast_, left, right, clang::BO_LT, ast_.BoolTy, clang::VK_PRValue,
                                      clang::OK_Ordinary, place, clang::FPOptionsOverride());
    return new (ast_)
        clang::ConditionalOperator(less, place, then, place, otherwise, call_.getType().getUnqualifiedType(),
                                   clang::VK_PRValue, clang::OK_Ordinary);
  }

  // A number that the standard library names by a function.
  clang::Expr* Constant() {
    const clang::QualType type = call_.getType();
    clang::Expr::EvalResult result;
    if (!IsOfSystem(function_) || !type->isFloatingType() || !call_.EvaluateAsRValue(result, ast_) ||
        !result.Val.isFloat())
      return nullptr;
    const llvm::APFloat value = result.Val.getFloat();
    if (value.isFinite())
      return clang::FloatingLiteral::Create(ast_, value, /*isexact=*/true, type.getUnqualifiedType(),
                                            call_.getBeginLoc());
    if (!value.isInfinity() || value.isNegative()) return nullptr;
    return Call(Is(type, ast_.FloatTy) ? "__builtin_inff" : "__builtin_inf", type);
  }

  clang::Expr* Value(clang::Expr* expression) {
    if (expression->isPRValue()) return expression;
    return ValueOf(ast_, expression);
  }

  clang::QualType TypeNamed(absl::string_view name) const {
    if (name == "float") return ast_.FloatTy;
    if (name == "int") return ast_.IntTy;
    if (name == "long") return ast_.LongTy;
    if (name == "unsigned short") return ast_.UnsignedShortTy;
    if (name == "unsigned int") return ast_.UnsignedIntTy;
    if (name == "unsigned long") return ast_.UnsignedLongTy;
    if (name == "unsigned long long") return ast_.UnsignedLongLongTy;
    return name == "long long" ? ast_.LongLongTy : ast_.DoubleTy;
  }

  // The call with the function of this name in place of its own.
  clang::Expr* Call(const std::string& name, clang::QualType result) {
    const std::vector<absl::string_view> declared = ParameterTypes(name);
    std::vector<clang::QualType> types;
    Operands values;
    for (unsigned i = 0; i < call_.getNumArgs(); ++i) {
      clang::Expr* value = Value(call_.getArg(i));
      types.push_back(i < declared.size() ? TypeNamed(declared[i]) : value->getType().getUnqualifiedType());
      values.push_back(Converted(ast_, value, types.back()));
    }
    result = result.getCanonicalType().getUnqualifiedType();
    const clang::QualType type =
        ast_.getFunctionType(result, types, clang::FunctionProtoType::ExtProtoInfo());
    const clang::SourceLocation place = call_.getBeginLoc();
    clang::IdentifierInfo& identifier = ast_.Idents.get(name);
    clang::FunctionDecl* function =
        clang::FunctionDecl::Create(ast_, ast_.getTranslationUnitDecl(), place, place,
                                    clang::DeclarationName(&identifier), type, nullptr, clang::SC_Extern);
    std::vector<clang::ParmVarDecl*> parameters;
    for (const clang::QualType parameter : types) {
      parameters.push_back(clang::ParmVarDecl::Create(ast_, function, place, place, nullptr, parameter,
                                                      nullptr, clang::SC_None, nullptr));
    }
    function->setParams(parameters);
    if (identifier.getBuiltinID() != 0)
      function->addAttr(clang::BuiltinAttr::CreateImplicit(ast_, identifier.getBuiltinID()));
    clang::Expr* callee = clang::DeclRefExpr::Create(ast_, clang::NestedNameSpecifierLoc(), place, function,
                                                     /*RefersToEnclosingVariableOrCapture=*/false, place,
                                                     type, clang::VK_LValue);
    callee =
        clang::ImplicitCastExpr::Create(ast_, ast_.getPointerType(type), clang::CK_FunctionToPointerDecay,
                                        callee, nullptr, clang::VK_PRValue, clang::FPOptionsOverride());
    return clang::CallExpr::Create(ast_, callee, values, result, clang::VK_PRValue, call_.getRParenLoc(),
                                   clang::FPOptionsOverride());
  }

  clang::ASTContext& ast_;
  clang::CallExpr& call_;
  const std::string name_;
  const clang::FunctionDecl& function_;
};

}  // namespace

clang::Expr* LowerLibraryCall(clang::ASTContext& ast, clang::CallExpr& call) {
  const clang::FunctionDecl* function = call.getDirectCallee();
  if (function == nullptr || function->getIdentifier() == nullptr || call.isTypeDependent()) return nullptr;
  return LibraryCall(ast, call, *function).Lower();
}

bool IsOfSystem(const clang::FunctionDecl& function) {
  const clang::SourceManager& manager = function.getASTContext().getSourceManager();
  return manager.isInSystemHeader(manager.getExpansionLoc(function.getLocation()));
}

}  // namespace tune
