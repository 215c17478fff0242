// Vectors of vectors as tables of rows: std::vector<std::vector<double>> a.
#pragma once

#include <set>
#include <vector>

#include "client/extract/pointers/row_table.h"
#include "client/extract/structures/member_read.h"

namespace clang {
class ASTContext;
class ValueDecl;
}  // namespace clang

namespace tune {

struct VectorTables {
  std::vector<RowTable> tables;
  MemberReads reads;                       // what stands for their sizes
  std::set<const clang::ValueDecl*> rows;  // references to rows that the region declares
};

// The variables, declared outside of the region, of which it uses elements a[i][j], also by way of references
// to rows and range-based loops, the number of rows and lengths of rows alone, in order of their first use:
// it computes the same with an array in two dimensions, where the rows are that of one. None for C.
VectorTables FindVectorTables(const clang::ASTContext& ast, const FoundRegion& region);

}  // namespace tune
