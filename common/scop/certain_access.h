// Accesses that no condition on data prevents.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "common/scop/scop.h"

namespace tune {

// Of each access of the statement, in order: whether every instance evaluates it, as part of the value or as
// its target. What stands in one branch of a choice is not, nor the target of a statement that leaves it as
// it is where data say so (GuardOf).
std::vector<bool> CertainAccesses(const v1::Scop& scop, const v1::Statement& statement);

// The statements that leave their targets as they are where data say so, and of whose targets some may not
// exist: elements that no instance of the region accesses for certain, and that are not inside of an array of
// C. Of those whose elements data decide the first element counts. `values`: of the parameters, as far as
// they are known. Throws isl::exception.
std::set<std::string> MayLackTargets(IslContext& context, const ParsedScop& scop,
                                     const std::map<std::string, int64_t>& values);

}  // namespace tune
