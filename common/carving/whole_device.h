// What launches make of a device that has several multiprocessors.
#pragma once

#include "common/carving/static_metrics.h"

namespace tune {

struct Multiprocessors {
  int count = 0;       // 0: unknown, nothing is changed
  int schedulers = 1;  // warps of one that are executed at a time
};

// An extension of the paper, whose launches always fill its device. Blocks are spread over the
// multiprocessors, so a launch takes as long as the one with the most of them:
// - `threads` is what the device could execute in that time: on each multiprocessor as many blocks as on that
//   one, and no fewer warps than schedulers. Of a launch of many blocks this is about the same as before.
// - `blocks_per_multiprocessor` is at most the blocks that there are for one.
// Only for Efficiency and Utilization; bytes and accesses are those of the threads that there are.
StaticMetrics OnWholeDevice(StaticMetrics metrics, const Multiprocessors& multiprocessors);

}  // namespace tune
