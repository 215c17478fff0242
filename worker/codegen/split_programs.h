// Programs for all sizes that split the sums of a product among blocks.
#pragma once

#include <optional>
#include <string>

#include "common/transform/symbolic_split.h"
#include "worker/codegen/symbolic_program.h"

namespace tune {

struct SplitPrograms {
  // With further parameters, the last ones, and a further array, the last one, which is like `like`
  // (SymbolicSplit).
  v1::Scop scop;
  std::string like;
  // In terms of the user's parameters: what tells how many parts there should be.
  IndexExpression rows, columns, additions;
  PartModel model;
  double filled = 1;             // SumNest::filled
  double least_places = 0;       // of rows and columns: with fewer, threads share sums
  bool many_blocks_too = false;  // sums are split however many blocks there are
  SymbolicPrograms programs;     // of the scop; they take `first` and `count` of the last part
};

// `plans`: those of the scop. Of the first product whose sums are split at some sizes of the grid by the rule
// of sizes that are known (part_count.h); nothing where there is none, or no program can be made. Functions
// and errors as those of GenerateSymbolic.
absl::StatusOr<std::optional<SplitPrograms>> GenerateSplit(const SharedPlans& plans, const v1::Scop& scop,
                                                           const CudaSpaceOptions& options,
                                                           const SizeGrid& grid, const std::string& name);

}  // namespace tune
