// Which statements' domains are split, and where.
#pragma once

#include <vector>

#include "common/dependence/dependence.h"

namespace tune {

struct StatementSplit {
  int statement = 0;             // index into ParsedScop::statements
  std::vector<isl::set> pieces;  // S: disjoint, none is empty, together they are the domain; two or more
};

// By the rule of index_split.h, in the scop's order. Throws isl::exception.
std::vector<StatementSplit> PlanSplits(const ParsedScop& scop, const Dependences& dependences);

}  // namespace tune
