// What stands for a std::vector<std::vector<T>> of a name before a region, whose rows are those of an array
// in two dimensions.
#pragma once

#include <clang/AST/Type.h>

#include <string>

#include "client/extract/pointers/row_table.h"
#include "client/extract/structures/member_read.h"

namespace clang {
class ASTContext;
class Expr;
}  // namespace clang

namespace tune {

// Names: of the array, of the number of rows, and of the length of one.
std::string ArrayOfRows(const std::string& name);
std::string CountOfRows(const std::string& name);
std::string LengthOfRows(const std::string& name);

RowTable TableOfRows(const clang::ASTContext& ast, const std::string& name, clang::QualType type);

// Whether it is 0 always: the subscript of the first row.
bool IsZero(const clang::ASTContext& ast, const clang::Expr& subscript);

// Adds variables for the number of rows and, with `has_length`, for the length of the first, and that builds
// have the table's type.
void AddRowReads(const RowTable& table, bool has_length, MemberReads* reads);
// The length alone.
void AddLengthRead(const RowTable& table, MemberReads* reads);

}  // namespace tune
