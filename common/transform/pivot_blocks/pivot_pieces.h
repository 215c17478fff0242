// Parts of statements by whether what they touch is of the pivots of the block that they run in.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/transform/blocked_loops/serial_loops.h"
#include "common/transform/index_split/statement_pieces.h"

namespace tune {

// The dimensions of arrays along which iteration t of a loop has a pivot: the element, row or column number t
// of path in path[i][j] = min(path[i][j], path[i][t] + path[t][j]), along both.
using PivotDimensions = std::set<std::pair<std::string, int>>;  // array, dimension

struct PivotLoop {
  SerialLoop loop;
  PivotDimensions pivots;
};

// Of a loop of `scop` all of whose statements have its time as one of their iterators. Nothing for others,
// and where no array is read at pivots and written on both sides of them. Throws isl::exception.
std::optional<PivotLoop> FindPivots(const SerialLoop& loop, const ParsedScop& scop);

// A part of S[b, x], a statement of WithBlockIterators, that runs in iteration x_time of the loop. An
// iterator that is a subscript along a pivots' dimension lies before, inside or behind the block.
struct PivotPiece {
  std::string name;    // in SplitStatements(scop, PivotCut::splits)
  std::string origin;  // S, in WithBlockIterators
  size_t loop = 0;
  int time = 0;          // the iterator of the loop, as a dimension of S[b, x]
  std::set<int> inside;  // such dimensions that lie inside of the block, the loop's own among them
  bool bounded = false;  // all dimensions do
};

struct PivotCut {
  std::vector<StatementSplit> splits;
  std::vector<PivotPiece> pieces;
};

// Cuts the statements of the loops. `scop`: of WithBlockIterators. Throws isl::exception.
PivotCut CutAtPivots(const ParsedScop& scop, const std::vector<PivotLoop>& loops, int64_t size);

}  // namespace tune
