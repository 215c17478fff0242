// Elements that get the same values again and again.
#pragma once

#include <string>
#include <vector>

#include "common/transform/repeated_values/value_iterators.h"

namespace tune {

// Statements that write elements of one array, all of them values that repeat. Their elements without the
// dimensions `dropped` name these values: each is that of one statement and one choice of the iterators that
// matter to it.
struct RepeatedArray {
  std::string array;
  std::vector<size_t> statements;  // in ParsedScop::statements
  std::vector<int> dropped;        // dimensions of the array
};

// Those with a recurrence: of some of its statements a value is made of values of the same statement. Where
// each value is written at least `least` times at the `values` of the parameters. Throws isl::exception.
std::vector<RepeatedArray> FindRepeatedArrays(const ParsedScop& scop,
                                              const std::vector<std::vector<ValueSources>>& sources,
                                              const std::vector<std::vector<bool>>& matters,
                                              const isl::set& values, int64_t least);

// { S -> P } of { S -> A }: the element without the dimensions. Throws isl::exception.
isl::map WithoutDropped(isl::map relation, const std::vector<int>& dropped, const std::string& name);

// { S -> [k] }: the iterators that matter. Throws isl::exception.
isl::map MatteringIterators(const isl::set& domain, const std::vector<bool>& matters);

}  // namespace tune
