// What an element type is in C.
#pragma once

#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"
#include "common/base/status.h"
#include "tune/v1/evaluation.pb.h"
#include "tune/v1/scop.pb.h"

namespace tune {

// ElementCType of ELEMENT_TYPE_FLOAT16, and the type of its values in expressions.
inline constexpr char kHalfType[] = "_Float16";
// The same of ELEMENT_TYPE_COMPLEX_FLOAT and ELEMENT_TYPE_COMPLEX_DOUBLE.
inline constexpr char kComplexFloatType[] = "_Complex float";
inline constexpr char kComplexDoubleType[] = "_Complex double";

// sizeof on this machine. Precondition: a valid type.
size_t ElementSize(v1::ElementType type);

// _Alignof in C: of complex numbers that of their parts, and in kernels, which load both at once,
// ElementSize.
int64_t CAlignment(v1::ElementType type);

// "double", "unsigned char". Precondition: a valid type.
absl::string_view ElementCType(v1::ElementType type);

// float, double, _Float16, or complex numbers of the first two: operations on them round.
bool IsFloating(v1::ElementType type);

bool IsComplex(v1::ElementType type);
// Of a C type: "_Complex float", "_Complex double".
bool IsComplexType(absl::string_view c_type);

// The type of the numbers that an element consists of, two for a complex one: of other types the type itself.
v1::ElementType ComponentType(v1::ElementType type);

// Bytes of an array with these extents; a scalar has none and is one element. INVALID_ARGUMENT when an extent
// is negative or the product does not fit 63 bits; the message names `array`.
absl::StatusOr<int64_t> ArrayBytes(absl::string_view array, v1::ElementType type,
                                   const std::vector<int64_t>& extents);

}  // namespace tune
