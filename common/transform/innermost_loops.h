// What is known of the innermost loops of a kernel of the `cpu` target.
#pragma once

#include "common/kernel/kernel.h"

namespace tune {

struct InnermostLoops {
  bool any = false;
  bool coincident = false;  // the iterations of one of them at least are independent
  int64_t trip_count = 0;   // of the longest; -1: unknown
};

// Of the last members of innermost bands that loop more than once.
InnermostLoops InnermostLoopsOf(const Kernel& kernel);

}  // namespace tune
