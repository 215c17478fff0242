// The order in which the blocks of a launch run.
//
// Blocks start in the order of their numbers, so what the last ones of a launch have touched is in the
// device's cache when the next launch begins. Where launches sweep again and again over more than that cache
// holds, every other one running backwards finds the newest part of it there, instead of evicting it before
// it is used. Asks `.block_order` of each kernel below host loops that touches about that much: forward,
// backward, or in turn over the iterations of the innermost host loop (alternating: the even ones forward,
// alternating_backward: the odd ones). By default each launch turns round after the one before. Not asked
// where one launch runs all, or where the size of the cache is not known. Applied where the coordinates of
// blocks are defined (block_coordinates.h).
#pragma once

#include "common/transform/cuda_transformation.h"

namespace tune {

struct SweepOrder {
  BlockOrder order = BlockOrder::kForward;
};

const CudaTransformation& OrderOfBlocks();

}  // namespace tune
