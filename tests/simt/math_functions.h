// math.h with CUDA's overloads for float. Its own declarations: <math.h> of C++ takes longer to compile than
// most kernels.
#pragma once

#define INFINITY (__builtin_inff())
#define NAN (__builtin_nanf(""))
#define HUGE_VAL (__builtin_huge_val())
#define M_PI 3.14159265358979323846

template <class A, class B>
__forceinline__ constexpr auto min(A a, B b) -> decltype(true ? A() : B()) {
  return b < a ? b : a;
}
template <class A, class B>
__forceinline__ constexpr auto max(A a, B b) -> decltype(true ? A() : B()) {
  return a < b ? b : a;
}

// Functions of integers and of mixed types are those of double.
#define SIMT_UNARY(name)                                     \
  extern "C" double name(double) noexcept;                   \
  extern "C" float name##f(float) noexcept;                  \
  __forceinline__ float name(float x) { return name##f(x); } \
  template <class T>                                         \
  __forceinline__ double name(T x) {                         \
    return name(static_cast<double>(x));                     \
  }
#define SIMT_TO_INTEGER(name, type)                         \
  extern "C" type name(double) noexcept;                    \
  extern "C" type name##f(float) noexcept;                  \
  __forceinline__ type name(float x) { return name##f(x); } \
  template <class T>                                        \
  __forceinline__ type name(T x) {                          \
    return name(static_cast<double>(x));                    \
  }
#define SIMT_SCALED(name, type)                   \
  extern "C" double name(double, type) noexcept;  \
  extern "C" float name##f(float, type) noexcept; \
  __forceinline__ float name(float x, type exponent) { return name##f(x, exponent); }
#define SIMT_PREDICATE(name)                                              \
  __forceinline__ bool name(float x) { return __builtin_##name(x) != 0; } \
  __forceinline__ bool name(double x) { return __builtin_##name(x) != 0; }
#define SIMT_BINARY(name)                                                \
  extern "C" double name(double, double) noexcept;                       \
  extern "C" float name##f(float, float) noexcept;                       \
  __forceinline__ float name(float x, float y) { return name##f(x, y); } \
  template <class X, class Y>                                            \
  __forceinline__ double name(X x, Y y) {                                \
    return name(static_cast<double>(x), static_cast<double>(y));         \
  }
SIMT_UNARY(sqrt)
SIMT_UNARY(cbrt)
SIMT_UNARY(exp)
SIMT_UNARY(exp2)
SIMT_UNARY(exp10)
SIMT_UNARY(expm1)
SIMT_UNARY(log)
SIMT_UNARY(log2)
SIMT_UNARY(log10)
SIMT_UNARY(log1p)
SIMT_UNARY(sin)
SIMT_UNARY(cos)
SIMT_UNARY(tan)
SIMT_UNARY(asin)
SIMT_UNARY(acos)
SIMT_UNARY(atan)
SIMT_UNARY(sinh)
SIMT_UNARY(cosh)
SIMT_UNARY(tanh)
SIMT_UNARY(asinh)
SIMT_UNARY(acosh)
SIMT_UNARY(atanh)
SIMT_UNARY(erf)
SIMT_UNARY(erfc)
SIMT_UNARY(tgamma)
SIMT_UNARY(lgamma)
SIMT_UNARY(fabs)
SIMT_UNARY(floor)
SIMT_UNARY(ceil)
SIMT_UNARY(trunc)
SIMT_UNARY(round)
SIMT_UNARY(rint)
SIMT_UNARY(nearbyint)
SIMT_UNARY(logb)
SIMT_TO_INTEGER(ilogb, int)
SIMT_TO_INTEGER(lround, long)
SIMT_TO_INTEGER(lrint, long)
SIMT_TO_INTEGER(llround, long long)
SIMT_TO_INTEGER(llrint, long long)
SIMT_SCALED(ldexp, int)
SIMT_SCALED(scalbn, int)
SIMT_SCALED(scalbln, long)
SIMT_PREDICATE(isnan)
SIMT_PREDICATE(isinf)
SIMT_PREDICATE(isfinite)
SIMT_PREDICATE(signbit)
SIMT_BINARY(pow)
SIMT_BINARY(fmod)
SIMT_BINARY(remainder)
SIMT_BINARY(atan2)
SIMT_BINARY(hypot)
SIMT_BINARY(copysign)
SIMT_BINARY(fdim)
SIMT_BINARY(fmin)
SIMT_BINARY(fmax)
SIMT_BINARY(nextafter)

#define SIMT_FLOATING_MIN_MAX(X, Y, T)                         \
  __forceinline__ T min(X x, Y y) { return fmin(T(x), T(y)); } \
  __forceinline__ T max(X x, Y y) { return fmax(T(x), T(y)); }
SIMT_FLOATING_MIN_MAX(float, float, float)
SIMT_FLOATING_MIN_MAX(double, double, double)
SIMT_FLOATING_MIN_MAX(float, double, double)
SIMT_FLOATING_MIN_MAX(double, float, double)

extern "C" double fma(double, double, double) noexcept;
extern "C" float fmaf(float, float, float) noexcept;
__forceinline__ float fma(float x, float y, float z) { return fmaf(x, y, z); }

extern "C" int abs(int) noexcept;
extern "C" long labs(long) noexcept;
extern "C" long long llabs(long long) noexcept;
__forceinline__ long abs(long x) { return x < 0 ? -x : x; }
__forceinline__ long long abs(long long x) { return x < 0 ? -x : x; }
__forceinline__ float abs(float x) { return fabsf(x); }
__forceinline__ double abs(double x) { return fabs(x); }
__forceinline__ double rsqrt(double x) { return 1.0 / sqrt(x); }
__forceinline__ float rsqrtf(float x) { return 1.0f / sqrtf(x); }
__forceinline__ float rsqrt(float x) { return rsqrtf(x); }

// --- bits ---
__forceinline__ int __popc(unsigned x) { return __builtin_popcount(x); }
__forceinline__ int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
__forceinline__ int __clz(int x) { return x == 0 ? 32 : __builtin_clz(x); }
__forceinline__ int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll(x); }
__forceinline__ int __ffs(int x) { return __builtin_ffs(x); }
__forceinline__ int __ffsll(long long x) { return __builtin_ffsll(x); }
__forceinline__ unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
  unsigned result = 0;
  for (int i = 0; i < 4; ++i) {
    const unsigned byte = selector >> 4 * i & 7;
    result |= ((byte < 4 ? x : y) >> 8 * (byte & 3) & 255) << 8 * i;
  }
  return result;
}
