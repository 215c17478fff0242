// Calls that are told sizes: what takes the region's place in the user's function, and how the CUDA file
// reads what it is told.
#pragma once

#include <string>

#include "worker/cases/parametric_kernel.h"

namespace tune {

// What a call is told, as C in the user's function.
struct CallArguments {
  // Definitions of `tune_arrays`, a pointer to each array of the scop, and of `tune_sizes`, long long:
  // extents of all arrays that have some and are not declared inside, then the own parameters. Scalars go
  // through copies.
  std::string definitions;
  std::string after;  // statements that bring back the scalars that the region writes
};

CallArguments ArgumentsOfCall(const ParametricRegion& region);

// How many sizes a call is told; and C++ that gives `tune_sizes`, in a CUDA file, their names: of those, or
// of the further parameters behind them, too.
int SizeCount(const ParametricRegion& region);
enum class SizeChoice { kOfCall, kAll };
std::string SizeDefinitions(const ParametricRegion& region, SizeChoice choice);

// `text` with names that begin as the region's helpers do in place of those that begin with "tune_", but for
// entry points.
std::string WithHelperPrefix(const std::string& text, const HelperNames& names);

// The C block in the region's place that calls tune_region_NAME (case_file.h).
std::string CallText(const ParametricRegion& region);

// C in the user's function, behind the original, of a region that libtune tunes: the original's time counts
// now, or its results are compared with those of other code.
std::string OriginalDoneCall(const ParametricRegion& region);

}  // namespace tune
