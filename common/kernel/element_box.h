// Boxes around what is touched, which tiles stand for.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "common/isl/isl.h"

namespace tune {

struct ElementBox {
  isl::multi_aff first;          // { [p] -> A[first] }
  std::vector<int64_t> extents;  // everywhere

  int64_t Elements() const;
};

// All functions here throw isl::exception.

// The smallest box of constant size around `touched`, { [p] -> A }; nullopt: there is none.
std::optional<ElementBox> BoxAround(const isl::map& touched);

// { S -> A[element - first] } of `access`, { S -> A }, in the box at `place`, { S -> [p] }.
isl::pw_multi_aff PlaceInBox(const isl::map& access, const isl::map& place, const ElementBox& box);

}  // namespace tune
