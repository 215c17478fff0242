// Vectors of vectors as tables of rows: std::vector<std::vector<double>> a.
#pragma once

#include <vector>

#include "client/extract/member_read.h"
#include "client/extract/row_table.h"

namespace tune {

struct VectorTables {
  std::vector<RowTable> tables;
  MemberReads reads;  // what stands for their sizes
};

// The variables, declared outside of the region, of which it uses elements a[i][j], the number of rows and
// lengths of rows alone, in order of their first use: it computes the same with an array in two dimensions,
// where the rows are that of one. None for C.
VectorTables FindVectorTables(const clang::ASTContext& ast, const FoundRegion& region);

}  // namespace tune
