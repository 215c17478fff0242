// Loops that load what they read ahead, as CUDA C has them.
#pragma once

#include <string>
#include <vector>

#include "common/program/helper_names.h"
#include "common/program/program_node.h"

namespace tune {

// The iterations in chunks of Loop::ahead, which run, unrolled, on what was loaded before. As soon as an
// iteration has run, what the one of the same number in the next chunk reads is loaded in its place; those
// that fill no chunk run as they are.
struct LoopInChunks {
  std::string first;                      // name of a chunk's first iteration
  std::vector<std::string> declarations;  // of what was loaded, and of `first`
  Block before;                           // loads what the first chunk reads
  IndexExpression condition;              // that all iterations of the chunk are there
  Block body;                             // of a chunk
  Block rest;
};

// Precondition: the check of Loop::ahead (worker/check/program_ahead_check.h). `index_type`: C type of
// iterators.
LoopInChunks InChunks(const Loop& loop, const std::string& index_type, const HelperNames& names);

}  // namespace tune
