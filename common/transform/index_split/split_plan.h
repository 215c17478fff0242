// Which statements' domains are split, and where.
#pragma once

#include <vector>

#include "common/dependence/dependence.h"
#include "common/transform/index_split/statement_pieces.h"

namespace tune {

// By the rule of index_split.h, in the scop's order. Throws isl::exception.
std::vector<StatementSplit> PlanSplits(const ParsedScop& scop, const Dependences& dependences);

}  // namespace tune
