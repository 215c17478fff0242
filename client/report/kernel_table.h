// The kernels of a candidate on a GPU, for people.
#pragma once

#include <string>

#include "tune/v1/evaluation.pb.h"

namespace tune {

// One row a kernel: its name in the decisions and in the code, launches, time of all of them, share of all
// kernels' time, threads of a block, registers and local memory of a thread, shared memory of a block, blocks
// that a multiprocessor holds. Then, where there are metrics, a second table of them: the value, and in
// brackets where it stands between nothing and the device's own peak. Empty without kernels.
std::string KernelTable(const v1::Evaluation& evaluation);

}  // namespace tune
