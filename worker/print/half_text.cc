#include "worker/print/half_text.h"

#include <algorithm>

#include "absl/strings/str_replace.h"
#include "common/array/element_type.h"
#include "common/scop/expression_parts.h"

namespace tune {
namespace {

// nvcc does not compile the compiler's own _Float16 for devices. PTX ISA, "cvt"; what runs on a host is not
// compiled by nvcc. Without constructors, so that shared memory needs none.
constexpr char kBefore[] = R"(struct @ {
  unsigned short bits;
  static __device__ __forceinline__ unsigned short nearest(float value) {
    unsigned short bits = 0;
#if defined(__CUDA_ARCH__)
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
#elif !defined(__CUDACC__)
    const _Float16 half = (_Float16)value;
    __builtin_memcpy(&bits, &half, sizeof bits);
#endif
    return bits;
  }
  static __device__ __forceinline__ unsigned short nearest(double value) {
    unsigned short bits = 0;
#if defined(__CUDA_ARCH__)
    asm("cvt.rn.f16.f64 %0, %1;" : "=h"(bits) : "d"(value));
#elif !defined(__CUDACC__)
    const _Float16 half = (_Float16)value;
    __builtin_memcpy(&bits, &half, sizeof bits);
#endif
    return bits;
  }
  template <typename T> static __device__ __forceinline__ unsigned short nearest(T value) { return nearest((float)value); }
  template <typename T> __device__ __forceinline__ @ &operator=(T value) {
    bits = nearest(value);
    return *this;
  }
  __device__ __forceinline__ operator float() const {
    float value = 0;
#if defined(__CUDA_ARCH__)
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
#elif !defined(__CUDACC__)
    _Float16 half;
    __builtin_memcpy(&half, &bits, sizeof bits);
    value = (float)half;
#endif
    return value;
  }
};
template <typename T> __device__ __forceinline__ @ @_of(T value) {
  @ half;
  half = value;
  return half;
}
#define _Float16 @

)";

constexpr char kBehind[] = "#undef _Float16\n";

bool HasHalves(const v1::Expression& expression) {
  bool any = expression.c_type() == kHalfType;
  ForEachPart(expression, [&](const v1::Expression& part) { any = any || HasHalves(part); });
  return any;
}

bool HasHalves(const v1::Scop& scop) {
  return std::any_of(
             scop.arrays().begin(), scop.arrays().end(),
             [](const v1::Array& array) { return array.element_type() == v1::ELEMENT_TYPE_FLOAT16; }) ||
         std::any_of(scop.statements().begin(), scop.statements().end(),
                     [](const v1::Statement& statement) { return HasHalves(statement.value()); });
}

}  // namespace

CText NearestHalf(const CText& value, const HelperNames& names) {
  return CallText(names.half + "_of", {value});
}

HalfText TextOfHalves(const v1::Scop& scop, const HelperNames& names) {
  if (!HasHalves(scop)) return {};
  return {absl::StrReplaceAll(kBefore, {{"@", names.half}}), kBehind};
}

}  // namespace tune
