// Prints how threads fill tiles in shared memory as CUDA C.
#pragma once

#include <string>
#include <vector>

#include "common/program/device_program.h"
#include "worker/print/index_text.h"

namespace tune {

struct FillLine {
  int indent = 0;  // levels deeper than the node
  bool directive = false;
  std::string text;
};

// A loop over the elements of each tile, in which neighbours in a warp copy neighbours in memory.
std::vector<FillLine> FillLines(const Fill& fill, const DeviceKernel& kernel,
                                const std::vector<DeviceArray>& arrays, IndexPrinter* indices);

}  // namespace tune
