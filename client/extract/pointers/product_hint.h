// Parameters that are products of others, as the function of a region says before it.
#pragma once

#include <map>
#include <vector>

#include "client/extract/region/region.h"

namespace tune {

class FlatOffset;

// Of `int row = 3 * width;` row is 3 * width, and of `int part = width / parts;` width is part * parts: no
// more than a hint, as the variables may have changed, and the division may have left a rest. Parameters of
// the region alone, and no product has a factor that is one itself.
std::map<const clang::VarDecl*, ProductHint> FindProductHints(const RegionVariables& variables);

// The offset with hints (Region::hints) in the place of parameters that are products, as an assumption: that
// they are joins the region's context. The region may have to be read again (Region::found_products).
FlatOffset WithProducts(Region& region, const LoopNest& nest, const FlatOffset& offset);

}  // namespace tune
