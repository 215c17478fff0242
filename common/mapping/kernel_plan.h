// What was decided for one kernel of the `cuda` target.
#pragma once

#include <string>

#include "common/mapping/decisions.h"
#include "common/mapping/thread_mapping.h"

namespace tune {

// Its threads, which everything stands on, and what each transformation decided besides.
struct KernelPlan : Decisions {
  std::string name;  // "k[S0,S1]", equals Kernel::name
  ThreadMapping threads;
};

}  // namespace tune
