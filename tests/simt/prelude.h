// CUDA C for the host: what a text of kernels needs, given to the compiler before the text. One fiber of the
// simulator is one thread; simt_host leads to the simulator. Needs gcc.
#pragma once

#include "interface.h"

extern "C" __attribute__((visibility("default"))) simt_interface simt_host;

#include "hooks.h"

// --- qualifiers ---
#define __global__
#define __device__
#define __host__
#define __constant__
#define __grid_constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __shared__ static __attribute__((section("simt_shared"), used))

// --- types ---
#define SIMT_VECTORS(type, name, align2, align4)                                       \
  struct name##1 {                                                                     \
    type x;                                                                            \
  };                                                                                   \
  struct __align__(align2) name##2 {                                                   \
    type x, y;                                                                         \
  };                                                                                   \
  struct name##3 {                                                                     \
    type x, y, z;                                                                      \
  };                                                                                   \
  struct __align__(align4) name##4 {                                                   \
    type x, y, z, w;                                                                   \
  };                                                                                   \
  __forceinline__ name##1 make_##name##1(type x) { return {x}; }                       \
  __forceinline__ name##2 make_##name##2(type x, type y) { return {x, y}; }            \
  __forceinline__ name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; } \
  __forceinline__ name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }
SIMT_VECTORS(signed char, char, 2, 4)
SIMT_VECTORS(unsigned char, uchar, 2, 4)
SIMT_VECTORS(short, short, 4, 8)
SIMT_VECTORS(unsigned short, ushort, 4, 8)
SIMT_VECTORS(int, int, 8, 16)
SIMT_VECTORS(unsigned, uint, 8, 16)
SIMT_VECTORS(long long, longlong, 16, 16)
SIMT_VECTORS(unsigned long long, ulonglong, 16, 16)
SIMT_VECTORS(float, float, 8, 16)
SIMT_VECTORS(double, double, 16, 16)

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
  constexpr dim3(uint3 value) : x(value.x), y(value.y), z(value.z) {}
};

// --- indices ---
// Defined in assembler, so that the compiler may take them for constants: to one thread they are.
asm(".pushsection .bss.simt_indices,\"aw\",%nobits\n"
    ".balign 16\n"
    ".globl simt_thread_index\nsimt_thread_index: .zero 12\n"
    ".globl simt_block_index\nsimt_block_index: .zero 12\n"
    ".globl simt_block_dimension\nsimt_block_dimension: .zero 12\n"
    ".globl simt_grid_dimension\nsimt_grid_dimension: .zero 12\n"
    ".popsection\n");
#define SIMT_INDEX(symbol) __asm__(symbol) __attribute__((visibility("hidden")))
extern const uint3 threadIdx SIMT_INDEX("simt_thread_index");
extern const uint3 blockIdx SIMT_INDEX("simt_block_index");
extern const uint3 blockDim SIMT_INDEX("simt_block_dimension");
extern const uint3 gridDim SIMT_INDEX("simt_grid_dimension");
constexpr int warpSize = 32;

// --- dynamic shared memory: the simulator turns `extern __shared__ T name[];` into SIMT_DYNAMIC_SHARED ---
constexpr int simt_dynamic_shared_limit = 227 * 1024;
extern "C" {
__align__(1024) char simt_dynamic_shared[simt_dynamic_shared_limit];
}
#define SIMT_DYNAMIC_SHARED(type, name) type* const name = reinterpret_cast<type*>(simt_dynamic_shared)

// --- barriers, warps, asynchronous copies, reads through other caches, atomics, functions ---
#include "asynchronous_functions.h"
#include "math_functions.h"
#include "memory_functions.h"
#include "texture_functions.h"
#include "warp_functions.h"

// --- kernels ---
template <int... index>
struct simt_indices {};
template <int count, int... index>
struct simt_count : simt_count<count - 1, count - 1, index...> {};
template <int... index>
struct simt_count<0, index...> {
  using type = simt_indices<index...>;
};
template <class... P, int... index>
SIMT_INTERNAL inline void simt_apply(void (*kernel)(P...), void** arguments, simt_indices<index...>) {
  kernel(*static_cast<P*>(arguments[index])...);
}
template <class... P>
constexpr int simt_arity(void (*)(P...)) {
  return sizeof...(P);
}
template <auto kernel>
SIMT_INTERNAL inline void simt_call(void** arguments) {
  simt_apply(kernel, arguments, typename simt_count<simt_arity(kernel)>::type());
}
// clang-format off
#define SIMT_KERNEL(...) {#__VA_ARGS__, &simt_call<__VA_ARGS__>, simt_arity(__VA_ARGS__)}
// clang-format on
// Constructors of the shared object run before the simulator sets a limit of steps.
#define SIMT_KERNELS(count, ...)                                                                 \
  static const simt_kernel simt_kernels[] = {__VA_ARGS__};                                       \
  simt_interface simt_host = {simt_kernels,        count,   const_cast<unsigned*>(&threadIdx.x), \
                              simt_dynamic_shared, nullptr, 0x7fffffffffffffff};
