// Prints products of numbers of binary16 that warps compute by matrix instructions as CUDA C.
#pragma once

#include <string>
#include <vector>

#include "common/program/warp_product.h"
#include "worker/print/statement_text.h"
#include "worker/print/text_line.h"

namespace tune {

// A loop with Loop::warp_product of halves: for each 16 iterations of the sum a warp loads what its rows and
// columns have of them, and calls what HalfFunctions defines. Of fewer at either end what stands beside them
// in the tiles is taken for zeros.
std::vector<TextLine> HalfProductLines(const WarpProduct& product, StatementPrinter* statements,
                                       IndexPrinter* indices);

// The functions that such products call. Instructions add the terms of 16 iterations to a float: the products
// are exact, the sums are rounded or cut off as the device does it. Devices before compute capability 8.0
// take two instructions, those before 7.5 compute the same by shuffles.
std::string HalfFunctions(const HelperNames& names);

}  // namespace tune
