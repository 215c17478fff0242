// Instances that know in which block of iterations they run.
#pragma once

#include <cstdint>
#include <string>

#include "common/scop/scop.h"

namespace tune {

// The statement's instances with the number of their block, floor(t / size), as first dimension, which is
// called `iterator`: { S[b, x] : x in the domain and size b <= t(x) < size (b + 1) }. `time`: { S[x] -> [t]
// }. Throws isl::exception.
isl::set InBlocks(const ParsedStatement& statement, const isl::pw_aff& time, int64_t size,
                  const std::string& iterator);

// { S'[b, x] -> S[x] }; `instances`: { S'[b, x] }, `statement`: the name of S. Throws isl::exception.
isl::multi_aff WithoutBlock(const isl::set& instances, const std::string& statement);

// Makes `result`, a copy of the statement of `scop`, the one of these instances (InBlocks), whose name may be
// another. Throws isl::exception.
void PutInBlocks(const ParsedScop& scop, const ParsedStatement& statement, const isl::set& instances,
                 v1::Statement* result);

}  // namespace tune
