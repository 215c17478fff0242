// Products of a float and constants in double, computed in float, and its quotients by constants.
#pragma once

#include "tune/v1/scop.pb.h"

namespace tune {

// The scop with products and quotients of one float and constants, computed in double and rounded to float
// once, in two operations of floats: of the constant c = h + l, where h has the bits of c that a float holds
// and l those behind them, x c is fmaf(h, x, l x). (N. Brisebarre and J.-M. Muller, Correctly rounded
// multiplication by arbitrary precision constants, IEEE Transactions on Computers 57, 2008.) It differs from
// x c by at most 2^-46 of it before it is rounded, so that about one of 2^22 results is the float beside the
// program's; infinities, NaN and signs of zeros are the program's, as h and l have one sign, and numbers
// below 2^-60 may differ in more places. Constants that are floats themselves are left: compilers know that
// double adds nothing there.
//
// Quotients of a float by a constant that is one are products with 1 / c in the same way: the float of the
// program in as many cases, in two operations in place of the dozen and the branch of a division.
//
// Programs of floats often have such constants, as 0.33333 * (a[i - 1] + a[i] + a[i + 1]). In double they
// cost two conversions, of which a multiprocessor begins an eighth as many in a cycle as additions of floats
// or less, and a product in double, for which many devices have next to no units.
v1::Scop WithFloatProducts(const v1::Scop& scop);

}  // namespace tune
