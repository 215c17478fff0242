// The decisions about the order in which the blocks of a launch run.
#pragma once

#include "common/space/cuda_space.h"

namespace tune {

// Blocks start in the order of their numbers, so what the last ones of a launch have touched is in the
// device's cache when the next launch begins. Where launches sweep again and again over more than that cache
// holds, every other one running backwards finds the newest part of it there, instead of evicting it before
// it is used. Asks `block_order` of each kernel below host loops with many more points than threads that run
// at once: forward, backward, or alternating with the innermost host loop (the first, third, ... of its
// iterations backwards: alternating_backward). By default one after the other turns round, over the
// iterations of the host loop, too. Not asked where one launch runs all. Sets the kernels' block_order;
// errors: the chooser's.
absl::Status ChooseBlockOrders(const CudaSpaceOptions& options, Chooser& chooser, CudaPlan& plan);

}  // namespace tune
