// Numbers of _Float16 in CUDA.
#pragma once

#include <string>

#include "common/program/helper_names.h"
#include "tune/v1/scop.pb.h"
#include "worker/print/c_text.h"

namespace tune {

// Text around kernels in which `_Float16` is a type of 16 bits that is computed with as float: every operand
// becomes a float, and what is stored or converted is rounded once, to the nearest and to even. That is what
// C says of a compiler that computes in float, as gcc does for x86 (C11 5.2.4.2.2, FLT_EVAL_METHOD), and
// needs no header. Empty for a scop that has no such numbers.
struct HalfText {
  std::string before, behind;
};
HalfText TextOfHalves(const v1::Scop& scop, const HelperNames& names);

// The value converted to _Float16, in such text.
CText NearestHalf(const CText& value, const HelperNames& names);

}  // namespace tune
