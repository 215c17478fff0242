// Statements of other instances.
#pragma once

#include <string>

#include "common/scop/scop.h"

namespace tune {

// Makes of `result`, a copy of the statement, one that does at each of its instances what the statement does
// at `origin`, { S' -> S }, of it: name, accesses and value. Domain and iterators are the caller's. Throws
// isl::exception.
void PullBack(const ParsedStatement& statement, const isl::multi_aff& origin, v1::Statement* result);

// { name[x] -> S[x] }: whatever instances `name` has are the statement's of the same iterators. Throws
// isl::exception.
isl::multi_aff InstancesNamed(const std::string& name, const ParsedStatement& statement);

}  // namespace tune
