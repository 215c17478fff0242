// On which of its iterators the value depends that a statement writes.
#pragma once

#include <string>
#include <vector>

#include "common/dependence/dependence.h"

namespace tune {

// Where an access reads a value that the region computed.
struct ValueSource {
  size_t statement = 0;  // in ParsedScop::statements, that wrote it
  isl::map instances;    // { S -> R }: from each instance that reads to the one that wrote
};

// Of an access, at all instances of its statement.
struct ValueSources {
  std::vector<ValueSource> written;  // by statements of the region
  isl::set before;                   // { S } that read what was there before the region
  bool is_known = true;              // at each instance it is one or the other
};

// By statement, in the scop's order, and by access; nothing for accesses that only write. Throws
// isl::exception.
std::vector<std::vector<ValueSources>> FindValueSources(const ParsedScop& scop,
                                                        const Dependences& dependences);

// By statement, of each iterator whether the value may depend on it. Instances that agree in those that
// matter write the same value: it is made of constants, of iterators that matter, of elements that were there
// before the region and that such instances share, and of values of which the same holds. The least such
// sets: they start empty, and grow until that is so. Of statements that may not be looked at in this way
// (updates, elements that data decide, undefined values) all iterators matter. Throws isl::exception.
std::vector<std::vector<bool>> FindValueIterators(const ParsedScop& scop,
                                                  const std::vector<std::vector<ValueSources>>& sources);

}  // namespace tune
