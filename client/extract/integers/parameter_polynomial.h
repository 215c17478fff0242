// Products of parameters.
#pragma once

#include <optional>

#include "client/extract/region/region.h"

namespace tune {

// a * b for values of parameters alone, without quotients, as a sum of parameters and of products that are
// parameters (Region::products). Nothing where they are others, or where a product is none of the region's
// yet (then Region::found_products has it).
std::optional<isl::pw_aff> ProductOfParameters(Region& region, const LoopNest& nest, const isl::pw_aff& a,
                                               const isl::pw_aff& b);

}  // namespace tune
