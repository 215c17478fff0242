// Prints products that warps compute by matrix instructions as CUDA C.
#pragma once

#include <string>
#include <vector>

#include "common/program/warp_product.h"
#include "worker/print/statement_text.h"
#include "worker/print/text_line.h"

namespace tune {

// A loop with Loop::warp_product: in each iteration a thread loads the terms of two iterations of the sum
// that it is to load, splits each in two numbers of TF32, and calls what MatrixFunctions defines.
std::vector<TextLine> WarpProductLines(const WarpProduct& product, StatementPrinter* statements,
                                       IndexPrinter* indices);

// The functions that products of floats call. A float is split in a big and a
// small number of TF32, and their products are added, but that of two small ones, by the instruction for 8
// iterations of the sum and in float for all: the error is near that of floats (Ootomo and Yokota,
// "Recovering single precision accuracy from Tensor Cores while surpassing the FP32 theoretical peak
// performance", IJHPCA 2022). Devices before compute capability 8.0 compute the same by shuffles. What is not
// finite becomes NaN.
std::string Tf32Functions(const HelperNames& names);

}  // namespace tune
