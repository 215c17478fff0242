// Which products of matrices may be computed by matrix instructions.
#pragma once

namespace tune {

// Such products are rounded in other places than those of the program.
struct MatrixProducts {
  bool tf32x3 = false;  // of floats, each split in two numbers of TF32
  bool halves = false;  // of _Float16, added in float
  bool operator==(const MatrixProducts&) const = default;
};

}  // namespace tune
