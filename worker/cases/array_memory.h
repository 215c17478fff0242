// Where kernels with cases find the arrays of a region.
#pragma once

#include <map>
#include <string>

#include "worker/cases/flat_accesses.h"
#include "worker/cases/parametric_kernel.h"
#include "worker/print/index_text.h"

namespace tune {

// Array number `number` of the scop is where the kernel's argument of its name leads: `memory` has it, by its
// name in the scop; a scalar's text is told to `indices`.
void FindInArguments(const ParametricRegion& region, int number, IndexPrinter* indices,
                     std::map<std::string, FlatMemory>* memory);

}  // namespace tune
