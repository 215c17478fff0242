// Products of matrices in register tiles, of terms that are packed (Goto and van de Geijn, "Anatomy of
// High-Performance Matrix Multiplication", TOMS 2008).
//
// Asks, of a kernel that is a product, `.register_tile`: none, ROWSxVECTORS or fitted, the default of large
// products, whose tile the compiler takes from the machine's vector registers; then, unless none, `.k_block`,
// `.i_block` and `.j_block` (ProductBlocks). Such a kernel is not tiled or unrolled otherwise, and blocks are
// what runs in parallel. Applied to the schedule tree as a mark (product_mark.h) above the plain loops, and
// to the program as what these compute (product_loops.h).
#pragma once

#include "common/transform/openmp_transformation.h"

namespace tune {

struct PackedProduct {
  std::optional<ProductBlocks> blocks;
};

const OpenMpTransformation& PackedProducts();

// Whether register tiles are worth their packing by default.
bool IsLargeProduct(const KernelProduct& product);

}  // namespace tune
