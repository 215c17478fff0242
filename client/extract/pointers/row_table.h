// Pointers to pointers to rows: double **a, double *a[N].
#pragma once

#include <clang/AST/Type.h>

#include <string>
#include <vector>

#include "client/extract/region/region_finder.h"

namespace clang {
class ASTContext;
}  // namespace clang

namespace tune {

// A table of pointers to rows of numbers, or of C++'s vectors of these.
struct RowTable {
  std::string name;            // of the variable, or the reference, that is declared outside of the region
  std::string vectors = {};    // C++ type of a vector of vectors; empty for pointers
  bool of_one_length = false;  // all vectors have to be as long as the first one
  std::string array;           // name of the array that stands for it
};

// Those that the region uses for nothing but to read the pointers to rows, in order of their first use: it
// computes the same with an array in two dimensions, where the rows are that of one.
std::vector<RowTable> FindRowTables(const clang::ASTContext& ast, const FoundRegion& region);

// Whether the type is a row of such an array, whose length is what the lines before the region find: the
// program does not walk from one such row to the next.
bool IsRowOfTable(const clang::ArrayType& row);

}  // namespace tune
