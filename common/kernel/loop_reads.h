// What the iterations of a band's loops read anew of arrays that nobody writes meanwhile, and where it lies.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/scop/scop.h"

namespace tune {

// Parallel to the members of `band`, below which there is none: words of 4 bytes (more for larger elements,
// one for smaller ones) that its statements read of different elements of `arrays`, at one value of all
// members, where the next iteration of the member alone reads others. The parameters are in `values`. Throws
// isl::exception: call inside IslContext::Run.
std::vector<int64_t> WordsReadByIterations(const isl::schedule_node_band& band,
                                           const std::vector<std::string>& arrays, const ParsedScop& scop,
                                           const isl::set& values);

// Parallel to the members of `band`, below which there is none: whether its statements read some element of
// `arrays`, or write some element, which the next iteration of the member alone has beside it in a row. The
// rest as above.
std::vector<bool> AlongRows(const isl::schedule_node_band& band, const std::vector<std::string>& arrays,
                            const ParsedScop& scop, const isl::set& values);

// The same of what is read alone.
std::vector<bool> ReadsAlongRows(const isl::schedule_node_band& band, const std::vector<std::string>& arrays,
                                 const ParsedScop& scop, const isl::set& values);

}  // namespace tune
