// Prints how threads fill tiles in shared memory as CUDA C.
#pragma once

#include <vector>

#include "common/program/device_program.h"
#include "worker/print/index_text.h"
#include "worker/print/text_line.h"

namespace tune {

// A loop over the elements of each tile, in which neighbours in a warp copy neighbours in memory.
std::vector<TextLine> FillLines(const Fill& fill, const DeviceKernel& kernel,
                                const std::vector<DeviceArray>& arrays, IndexPrinter* indices);

}  // namespace tune
