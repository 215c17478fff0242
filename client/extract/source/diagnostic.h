// Why a construct was refused, from the place in the syntax tree to the text on the terminal.
#pragma once

#include <clang/Basic/SourceLocation.h>

#include <string>
#include <utility>
#include <variant>

#include "absl/strings/string_view.h"
#include "tune/v1/extraction.pb.h"

namespace clang {
class ASTContext;
}

namespace tune {

// A construct that has no place in a scop.
struct Refusal {
  clang::SourceRange range;  // of the construct
  std::string reason;        // one clause, no full stop
  std::string remedy;        // one clause in the imperative
};

// A value, or why there is none.
template <typename T>
using Accepted = std::variant<T, Refusal>;

template <typename T>
bool IsRefused(const Accepted<T>& accepted) {
  return std::holds_alternative<Refusal>(accepted);
}

// "not an affine expression: ..." becomes "`what` is not an affine expression: ..."; others stay.
template <typename T>
Accepted<T> Of(absl::string_view what, Accepted<T> accepted) {
  Refusal* refusal = std::get_if<Refusal>(&accepted);
  if (refusal != nullptr && refusal->reason.rfind("not an affine", 0) == 0) {
    refusal->reason = std::string(what) + " is " + refusal->reason;
  }
  return accepted;
}

// The refusal with its place: file, line, column and text of the construct. `file` is the main file's
// name as the user gave it. A construct that comes out of a macro is placed at the macro's use.
v1::Diagnostic MakeDiagnostic(const clang::ASTContext& ast, absl::string_view file, const Refusal& refusal);

// The C text of a range on one line, at most about 80 characters, macros as written.
std::string SourceText(const clang::ASTContext& ast, clang::SourceRange range);

// For people, ending in a newline:
//   gemm.c:12:9: error: the subscript is not affine
//      A[i * i] = 0;
//        ^
//     expression: i * i
//     remedy: ...
// The source line is read from diagnostic.file and left out when that cannot be read.
std::string RenderDiagnostic(const v1::Diagnostic& diagnostic);

}  // namespace tune

// `TUNE_ASSIGN_OR_REFUSE(auto x, F())`: x is the value of the Accepted, or its refusal is returned.
#define TUNE_ASSIGN_OR_REFUSE(declaration, expression) \
  TUNE_ASSIGN_OR_REFUSE_(TUNE_REFUSE_CONCAT_(tune_accepted_, __LINE__), declaration, expression)
#define TUNE_ASSIGN_OR_REFUSE_(temporary, declaration, expression)                                     \
  auto temporary = (expression);                                                                       \
  if (::tune::Refusal* refusal = std::get_if<::tune::Refusal>(&temporary)) return std::move(*refusal); \
  declaration = std::get<0>(std::move(temporary))
#define TUNE_REFUSE_CONCAT_(a, b) TUNE_REFUSE_CONCAT_2_(a, b)
#define TUNE_REFUSE_CONCAT_2_(a, b) a##b
