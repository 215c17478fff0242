// The notation of sets, relations and affine functions, checked before isl reads one: its reader trusts what
// it gets.
#pragma once

#include "absl/strings/string_view.h"
#include "common/base/status.h"

namespace tune {

enum class IslKind {
  kContext,   // a set of parameter values: [n] -> { : n >= 1 }
  kSet,       // of one tuple or of several: [n] -> { S0[i] : 0 <= i < n; S1[] }
  kRelation,  // [n] -> { S0[i] -> A[i + 1] }
  kAffine,    // a function of instances or of parameters: [n] -> { S0[i] -> [(n + i)] }, [n] -> { [(n)] }
  kBand,      // the partial schedule of a band: [n] -> [{ S0[i] -> [(i)] }, { S0[i] -> [(0)] }]
};

// Whether `text` is of this kind, as isl prints it and people write it: parameters, tuples (also of two
// tuples), conditions of and, or, not, exists and comparisons, sums and products of which one factor is a
// number, division and remainder by positive numbers, floor, ceil, min, max. Every name of a condition or
// value is a parameter, a dimension or bound by exists. Within the bounds of isl_bounds.h. What the parts
// mean, and whether they fit together, is for isl to say. INVALID_ARGUMENT says where and what was expected.
absl::Status CheckIslText(IslKind kind, absl::string_view text);

}  // namespace tune
