// A scop as a C file for PPCG's front end.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "common/scop/scop.h"
#include "worker/lower/device_arrays.h"

namespace tune {

struct PpcgInput {
  // A function whose parameters are the arrays, with their extents, and the scalars that the region reads;
  // the scalars that it writes are global. The region is in its original order, between PPCG's pragmas, with
  // the parameters' values written into it; arrays declared inside are declared at its start. Every statement
  // stands in it once, labelled with its name. Around the pragmas: the comments of ppcg_output.h.
  std::string text;
  // { S[i, j] -> S[c] }: from an instance to the loops around its place in the text, which is how PPCG knows
  // it. Injective, without parameters. Null when some statement stands in the text more than once.
  isl::union_map iterations;
  // Its iterators, or elements' offsets, do not safely fit `int`.
  bool needs_long = false;
};

// INVALID_ARGUMENT when no statement is executed at these parameter values; INTERNAL or RESOURCE_EXHAUSTED
// from isl.
absl::StatusOr<PpcgInput> PrintPpcgInput(IslContext& context, const ParsedScop& scop,
                                         const std::vector<DeviceArray>& arrays,
                                         const std::map<std::string, int64_t>& parameter_values);

}  // namespace tune
