// Terms of products that warps compute of numbers of binary16.
#pragma once

#include <vector>

#include "common/program/warp_product.h"

namespace tune {

// Iterations of the sum that an instruction takes of halves, and neighbours in a row of a tile that a thread
// loads for its warp ("ldmatrix": 16 bytes).
inline constexpr int64_t kHalfSum = 16, kHalfRow = 8;

// Points along x that a thread has side by side: the instruction's columns of the thread.
inline constexpr int64_t kHalfPiece = 2;

// The product's terms where each is one element of _Float16 of a row times one of a column, times what is the
// same for all; empty: some are not, or their elements lie otherwise in shared tiles than loads for a warp
// want it. There are neighbours along the sum, from a multiple of 8 on, or neighbours in the 8 threads along
// y, or in the 4 along x, of which each has two.
std::vector<HalfTerm> HalfTermsOf(const WarpProduct& product, const DeviceKernel& kernel,
                                  const HelperNames& names);

// The loop of columns whose two iterations are neighbours in the instruction, the innermost one, and the
// loops around it.
const Loop* NeighbourColumns(const WarpProduct& product);
std::vector<const Loop*> FurtherColumns(const WarpProduct& product);

}  // namespace tune
