#include "client/extract/cpp/vector_rows.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>

#include "absl/strings/str_cat.h"

namespace tune {

std::string ArrayOfRows(const std::string& name) { return absl::StrCat("tune_", name, "_data"); }
std::string CountOfRows(const std::string& name) { return absl::StrCat("tune_", name, "_size"); }
std::string LengthOfRows(const std::string& name) { return CountOfRows(name) + "_1"; }

RowTable TableOfRows(const clang::ASTContext& ast, const std::string& name, clang::QualType type) {
  const clang::QualType plain = type.getNonReferenceType().getCanonicalType().getUnqualifiedType();
  return {name, plain.getAsString(ast.getPrintingPolicy()), /*of_one_length=*/false, ArrayOfRows(name)};
}

bool IsZero(const clang::ASTContext& ast, const clang::Expr& subscript) {
  clang::Expr::EvalResult value;
  return !subscript.isValueDependent() && subscript.EvaluateAsInt(value, ast) && value.Val.getInt().isZero();
}

void AddRowReads(const RowTable& table, bool has_length, MemberReads* reads) {
  reads->members.push_back({CountOfRows(table.name), table.name + ".size()", "auto", {}, {table.name}});
  if (has_length) AddLengthRead(table, reads);
  reads->conditions.push_back(
      absl::StrCat("__is_same(const __typeof__(", table.name, "), const ", table.vectors, ")"));
}

void AddLengthRead(const RowTable& table, MemberReads* reads) {
  const std::string length = absl::StrCat(table.name, ".empty() ? 0 : ", table.name, "[0].size()");
  reads->members.push_back({LengthOfRows(table.name), length, "auto", {}, {table.name}});
}

}  // namespace tune
