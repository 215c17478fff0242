// Which values parts of index expressions may have.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "common/program/program_node.h"

namespace tune {

// Both are values.
struct IndexRange {
  int64_t least = 0, most = 0;
  bool operator==(const IndexRange&) const = default;
};

// Of names.
using IndexRanges = std::map<std::string, IndexRange>;

// How far from 0 values of `int` may be, so that what passes and text add of tiles' extents leaves them
// `int`.
constexpr int64_t kFurthestIndex = int64_t{1} << 30;

// Whether each part of each expression of the block, and each iterator, is surely no further from 0 than
// kFurthestIndex, where names that the block does not define have values in `ranges`. One that is not there
// may have any value.
bool StaysInInt(const Block& block, const IndexRanges& ranges);

}  // namespace tune
