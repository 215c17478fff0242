// The vertices of parametric polytopes.
#pragma once

#include <vector>

#include "common/isl/isl.h"

namespace tune {

struct Vertex {
  isl::basic_set domain;  // over the parameters: where it is one
  isl::multi_aff place;   // { [] -> [i...] }, by the parameters
};

// Of a set without integer divisions. Throws isl::exception.
std::vector<Vertex> VerticesOf(const isl::basic_set& set);

}  // namespace tune
