// Which fills of a block, one after the other, are those of consecutive iterations.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "common/program/device_program.h"

namespace tune {

// Fills of consecutive iterations: those of a loop, and of iterations taken out of it before and behind.
struct FillChain {
  size_t loop = 0;               // place of the loop in the block
  std::vector<size_t> before;    // places of the fills before it, in order
  std::vector<size_t> behind;    // and behind
  Fill fill;                     // the loop's, with the guards of all
  std::optional<int64_t> first;  // iteration of the whole chain; none: the loop's, which is not constant
  std::optional<int64_t> last;   // none: it is not known, and nothing stands behind the loop
};

// Place of the one fill in the body of a loop that is reached in each iteration, before what reads tiles;
// none: there is no such fill, or there are others.
std::optional<size_t> FillOfBody(const DeviceKernel& kernel, const Loop& loop);

// The chain of the loop at that place of the block; none: the loop has no FillOfBody, or its fills are not
// those of its iterations.
std::optional<FillChain> ChainOf(const DeviceKernel& kernel, const Block& block, size_t loop);

// The fill of another iteration.
Fill FillAt(const Fill& fill, const std::string& iterator, const IndexExpression& iteration);

// Whether the node, or one inside of it, fills tiles.
bool HasFill(const Node& node);

}  // namespace tune
