#include "client/extract/calls/refused_call.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/Basic/Builtins.h>

#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "client/extract/cpp/library_function.h"
#include "client/extract/cpp/standard_container.h"
#include "client/extract/statements/refused_type.h"

namespace tune {
namespace {

// The complex type of a number that the call takes or returns; null for others.
clang::QualType ComplexType(const clang::CallExpr& call) {
  if (call.getType()->isAnyComplexType()) return call.getType();
  for (const clang::Expr* argument : call.arguments())
    if (argument->getType()->isAnyComplexType()) return argument->getType();
  return {};
}

}  // namespace

Refusal RefuseCall(const clang::CallExpr& call) {
  const clang::SourceRange place = call.getSourceRange();
  const clang::FunctionDecl* function = call.getDirectCallee();
  if (function == nullptr) {
    return {place, "a call of a function through a pointer, which may have side effects",
            "call the function by its name, or move the call out of the region"};
  }
  if (const auto words = RefusedUse(function->getASTContext(), call))
    return {place, words->first,
            "write what the function does in the region, or give it a pointer, v.data()"};
  const std::string what = absl::StrCat("a call of `", function->getNameAsString(), "`");
  if (const clang::QualType complex = ComplexType(call); !complex.isNull()) {
    return {place, absl::StrCat(what, ", a function of complex numbers"),
            IsComplexOfFloats(complex)
                ? "use creal, cimag, conj, cabs, carg, cexp, those of floats (conjf), and "
                  "operators; or make the value before the region"
                : InsteadOf(complex)};
  }
  // Macros of gcc's <complex.h> that clang does not have.
  if (function->getNameAsString() == "CMPLX" || function->getNameAsString() == "CMPLXF")
    return {place, absl::StrCat(what, ", which has no value here"), "write `x + y * I`"};
  if (function->getASTContext().getLangOpts().CPlusPlus && IsOfSystem(*function)) {
    return {place, absl::StrCat(what, ", a function of the library that has no words in C"),
            "use functions of <cmath>, std::min, std::max, std::clamp or std::abs of numbers, or move the "
            "call out "
            "of the region"};
  }
  if (function->hasBody()) {
    return {place, absl::StrCat(what, ", which other files may define in another way"),
            "declare it `static inline`, without variable arguments, or move the call out of the region"};
  }
  if (function->getBuiltinID() == clang::Builtin::BI__builtin_constant_p) {
    return {place, absl::StrCat(what, ", whose value depends on how the compiler optimises"),
            "write the value for variables in its place, or move the call out of the region"};
  }
  if (function->getBuiltinID() != 0 && absl::StartsWith(function->getNameAsString(), "__builtin_")) {
    return {place, absl::StrCat(what, ", a function of the compiler that tuned code does not have"),
            "write what it does in the region, or move the call out of it"};
  }
  if (function->hasAttr<clang::ConstAttr>() || function->hasAttr<clang::PureAttr>()) {
    return {place,
            absl::StrCat(what,
                         ", which is only declared: tuned code runs, on the device and where it is "
                         "measured, without the file that defines it"),
            "define it `static inline` before the region, in the file or a header"};
  }
  return {place, absl::StrCat(what, ", which is only declared and may have side effects"),
          "define it `static inline` before the region, in the file or a header, use a function of <math.h>, "
          "or move the call out of the region"};
}

Refusal RefuseEnd(const clang::CallExpr& call) {
  const std::string name = call.getDirectCallee()->getNameAsString();
  if (absl::StartsWith(name, "__assert")) {
    return {call.getSourceRange(), "an assertion about data, which may end the program",
            "define NDEBUG (-DNDEBUG, here and where the tuned file is built), or make it before the region; "
            "assertions about parameters and iterators may stay"};
  }
  return {call.getSourceRange(),
          absl::StrCat("a call of `", name,
                       "`, which ends the program, is reached, or data decide whether it is"),
          "test for errors before the region; tests of parameters and iterators may stay"};
}

}  // namespace tune
