// Rows of elements that each thread touches alone, again and again: what a triangular solve of a block works
// out, one right side a thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/kernel/reference_name.h"
#include "common/scop/scop.h"

namespace tune {

// What each thread of a band can keep in registers while it runs all iterations that it has, where each value
// of the coincident members is a thread. Such an element's place among those of its thread follows from the
// iterations alone, counted from the thread's first ones: with loops over them unrolled, each is a variable.
struct ThreadRows {
  std::vector<std::string> arrays;  // whose elements they are
  int64_t words = 0;                // of 4 bytes, in all
  int64_t iterations = 0;           // of a box around those of a thread
  bool operator==(const ThreadRows&) const = default;
};

// Of the innermost band, whose coincident members are `coincident`; `constant_reads`: references of the
// statements that touch none of these elements. Arrays are those that the band writes, no element of which is
// touched by two threads of a launch. nullopt: no array has several such elements in a thread, and twice as
// many iterations; or a thread runs more than `most_iterations`. Throws isl::exception: call
// inside IslContext::Run.
std::optional<ThreadRows> FindThreadRows(const isl::schedule_node_band& band,
                                         const std::vector<bool>& coincident,
                                         const std::vector<std::string>& statements,
                                         const std::vector<ReferenceName>& constant_reads,
                                         const ParsedScop& scop, const isl::set& values,
                                         int64_t most_iterations);

}  // namespace tune
