// Complex numbers in CUDA.
#pragma once

#include <string>

#include "common/program/helper_names.h"
#include "tune/v1/scop.pb.h"
#include "worker/print/c_text.h"

namespace tune {

// Text of kernels, in which "_Complex float" and "_Complex double" are written as types that the text makes
// before: two numbers at an address at which both are loaded at once, with C's operators, also of operands of
// different types. Products are those of C without a look at infinities (C11 G.5.1, CX_LIMITED_RANGE);
// quotients are those of R. L. Smith, Algorithm 116, 1962. Needs no header; text of a scop without such
// numbers stays as it is.
std::string WithComplexNumbers(const v1::Scop& scop, const HelperNames& names, std::string kernels);

// Of such text: the function that does to complex numbers what __shfl_xor_sync does to others.
std::string OtherLaneFunction(const HelperNames& names);

// Of such text: the constant "0.5fi" of this C type, with or without a sign.
CText ImaginaryText(const std::string& c_type, absl::string_view literal);

// Of such text: the value converted to this complex C type.
CText ComplexOf(const std::string& c_type, const CText& value, const HelperNames& names);

// `op` kRealPart or kImaginaryPart of a complex value.
CText PartText(absl::string_view op, const CText& value);

// Of such text: the call of cabs, carg or cexp, or one of them for floats. Precondition: `function` is one.
CText ComplexCall(absl::string_view function, const CText& value, const HelperNames& names);

}  // namespace tune
