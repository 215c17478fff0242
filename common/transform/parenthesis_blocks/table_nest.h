// Loops that fill tables over intervals.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/scop/scop.h"

namespace tune {

// A statement that writes an element of a table.
struct TableStatement {
  size_t index = 0;  // in ParsedScop::statements
  isl::map place;    // { S[x] -> [r, c] } or [r, c, k], injective: its element and, of updates, the split
  isl::multi_aff origin;  // the other way round
  bool splits = false;    // has k, a subscript of what it reads of a table; its updates commute
};

// Loops around everything that they hold, in which each element of a table, [r, c], follows from others of
// larger r and smaller c, or the other way round, as those of an interval from those inside of it:
// T[i][j] = max(T[i][j], T[i][k] + T[k + 1][j]). (Where both are smaller, as in a factorisation, the elements
// that a block needs lie before it along both dimensions: blocked_loops takes such loops.)
struct TableNest {
  std::vector<TableStatement> statements;  // in the order in which an iteration runs them
  std::set<std::string> tables;            // arrays that they write
  int sign[2] = {1, 1};                    // along rows and columns: 1 where an element needs smaller ones
  std::optional<isl::schedule> before, after;  // of the rest of the region
};

// Of the region's order, at the `values` of the parameters (ParameterValues). Nothing where there is no such
// nest, or more than one; no table has other than two dimensions. Throws isl::exception.
std::optional<TableNest> FindTableNest(const ParsedScop& scop, const isl::set& values);

}  // namespace tune
