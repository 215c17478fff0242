// Tables of integers whose values the file says: static const int dx[4] = {1, -1, 0, 0};
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "client/extract/region/region.h"

namespace clang {
class ArraySubscriptExpr;
}

namespace tune {

// An element of a `const` array of integers, of constant lengths, that constants initialise.
struct TableElement {
  const clang::VarDecl* table;
  std::vector<const clang::Expr*> subscripts;  // outermost first
};

// Nothing for others, and where a table has more than 64 elements.
std::optional<TableElement> TableElementOf(const clang::ASTContext& ast,
                                           const clang::ArraySubscriptExpr& element);

// Whether such an element is in the expression.
bool HasTableElement(const clang::ASTContext& ast, const clang::Stmt& expression);

// What the table has at these subscripts, [params, iterators] -> { [v] }: a number for each of them. C never
// looks outside of the table, where this has some value of it.
isl::pw_aff ValueInTable(const clang::VarDecl& table, const std::vector<isl::pw_aff>& subscripts);

// Each element as C names it, "dx[3]", behind `name` for the table, and its value.
std::vector<std::pair<std::string, std::string>> ElementsOfTable(const clang::VarDecl& table,
                                                                 const std::string& name);

}  // namespace tune
