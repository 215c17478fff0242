// Sizes at which the default decisions are the same.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "common/base/status.h"
#include "worker/codegen/size_grid.h"
#include "worker/codegen/symbolic_plan.h"

namespace tune {

// What is known of a cell of a grid.
struct SizeCell {
  SizeValues sizes;                          // complete
  std::map<std::string, double> iterations;  // DefaultsAtSizes::iterations
  int size_class = -1;                       // -1: its parameters cannot be so
};

struct SizeClasses {
  SizeGrid grid;
  std::vector<SizeCell> cells;  // of the grid
  std::vector<size_t> typical;  // of each class its middle cell; those with the most cells first
};

// The values of a cell's parameters.
using CellValues = std::function<absl::StatusOr<SizeValues>(size_t cell)>;

// Of the plans' defaults. `values`: by default those of the grid. Errors of cells that parameters cannot have
// go to `status`.
SizeClasses FindClasses(const SymbolicPlans& plans, const SizeGrid& grid, absl::Status* status,
                        const CellValues& values = {});

}  // namespace tune
