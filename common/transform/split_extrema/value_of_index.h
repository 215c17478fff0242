// Extrema of which the index alone is kept: `if (a[i] > a[k]) k = i;`.
#pragma once

#include <optional>

#include "common/scop/scop.h"

namespace tune {

// A scop that computes the same, in which each nest of loops that keeps in a scalar k the index of the
// largest or smallest element of an array `a` with one dimension keeps that element, too, as a running
// extremum (running_extremum.h):
//
//   k = a[i] > a[k] ? i : k;      becomes      m = a[k];     before the nest
//                                              c = a[i] > m;
//                                              m = c ? a[i] : m;
//                                              k = c ? i : k;
//
// Each i that is kept fits in k, so that a[k] is then a[i]; nothing in the nest writes an element of `a`, and
// the first iteration reads a[k] as it is before the nest, as there are no other conditions. That nothing
// else in the nest has to do with k is left to those who look for running extrema. nullopt: there are none.
// Throws isl::exception.
std::optional<v1::Scop> WithValuesOfIndices(const ParsedScop& scop);

}  // namespace tune
