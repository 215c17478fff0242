// The decisions about the order in which the blocks of a launch run.
#pragma once

#include "common/space/cuda_space.h"

namespace tune {

// Blocks start in the order of their numbers, so what the last ones of a launch have touched is in the
// device's cache when the next launch begins. Where launches sweep again and again over more than that cache
// holds, every other one running backwards finds the newest part of it there, instead of evicting it before
// it is used. Asks `block_order` of each kernel below host loops that touches about that much: forward,
// backward, or in turn over the iterations of the innermost host loop (alternating: the even ones forward,
// alternating_backward: the odd ones). By default each launch turns round after the one before. Not asked
// where one launch runs all, or where the size of the cache is not known. Sets the kernels' block_order;
// errors: the chooser's.
absl::Status ChooseBlockOrders(const DeviceFacts& device, Chooser& chooser, CudaPlan& plan);

}  // namespace tune
