// A scop whose statements are replaced by pieces of them.
#pragma once

#include <vector>

#include "common/scop/scop.h"

namespace tune {

struct StatementSplit {
  int statement = 0;             // index into ParsedScop::statements
  std::vector<isl::set> pieces;  // S: disjoint, none is empty, together they are the domain; two or more
};

// The same instances in the same order, with the same arrays. The first piece of a statement keeps its name;
// others are further statements after the scop's own. Pieces keep line, iterators, accesses and body. Throws
// isl::exception.
v1::Scop SplitStatements(const ParsedScop& scop, const std::vector<StatementSplit>& splits);

}  // namespace tune
