// Atomic updates and reads through other caches, CUDA C++ Programming Guide 10.10 (__ldg), 10.11 (__ldcs)
// and 10.14 (atomics).
#pragma once

#include "interface.h"

#define SIMT_BIT_CAST(name, to, from)          \
  __forceinline__ to name(from value) {        \
    static_assert(sizeof(to) == sizeof(from)); \
    return __builtin_bit_cast(to, value);      \
  }
SIMT_BIT_CAST(__float_as_int, int, float)
SIMT_BIT_CAST(__int_as_float, float, int)
SIMT_BIT_CAST(__float_as_uint, unsigned, float)
SIMT_BIT_CAST(__uint_as_float, float, unsigned)
SIMT_BIT_CAST(__double_as_longlong, long long, double)
SIMT_BIT_CAST(__longlong_as_double, double, long long)

inline void __threadfence() {}
inline void __threadfence_block() {}

// Threads change only at barriers and warp operations: a plain update is atomic.
#define SIMT_ATOMIC_UPDATE(name, type, update)                                            \
  SIMT_INTERNAL inline type name(type* address, type value) {                             \
    simt_host.access(simt_host.simulator, address, sizeof(type), SIMT_ATOMIC, SIMT_SITE); \
    const type old = *address;                                                            \
    *address = (update);                                                                  \
    return old;                                                                           \
  }
#define SIMT_ATOMIC_COMPARE(type)                                                         \
  SIMT_INTERNAL inline type atomicCAS(type* address, type expected, type value) {         \
    simt_host.access(simt_host.simulator, address, sizeof(type), SIMT_ATOMIC, SIMT_SITE); \
    const type old = *address;                                                            \
    if (old == expected) *address = value;                                                \
    return old;                                                                           \
  }
// Of a signed type the sum may wrap around: it is taken as `modulo`.
#define SIMT_ATOMIC_INTEGER(type, modulo)                                                      \
  SIMT_ATOMIC_UPDATE(atomicAdd, type,                                                          \
                     static_cast<type>(static_cast<modulo>(old) + static_cast<modulo>(value))) \
  SIMT_ATOMIC_UPDATE(atomicMin, type, value < old ? value : old)                               \
  SIMT_ATOMIC_UPDATE(atomicMax, type, value > old ? value : old)                               \
  SIMT_ATOMIC_UPDATE(atomicAnd, type, old& value)                                              \
  SIMT_ATOMIC_UPDATE(atomicOr, type, old | value)                                              \
  SIMT_ATOMIC_UPDATE(atomicXor, type, old ^ value)                                             \
  SIMT_ATOMIC_UPDATE(atomicExch, type, value)                                                  \
  SIMT_ATOMIC_COMPARE(type)
SIMT_ATOMIC_INTEGER(int, unsigned)
SIMT_ATOMIC_INTEGER(unsigned, unsigned)
SIMT_ATOMIC_INTEGER(unsigned long long, unsigned long long)
SIMT_ATOMIC_UPDATE(atomicMin, long long, value < old ? value : old)
SIMT_ATOMIC_UPDATE(atomicMax, long long, value > old ? value : old)
SIMT_ATOMIC_UPDATE(atomicSub, int,
                   static_cast<int>(static_cast<unsigned>(old) - static_cast<unsigned>(value)))
SIMT_ATOMIC_UPDATE(atomicSub, unsigned, old - value)
SIMT_ATOMIC_UPDATE(atomicAdd, float, old + value)
SIMT_ATOMIC_UPDATE(atomicAdd, double, old + value)
SIMT_ATOMIC_UPDATE(atomicExch, float, value)

SIMT_INTERNAL inline void simt_read_constant(const void* address, unsigned bytes, unsigned alignment,
                                             const void* site) {
  if (reinterpret_cast<unsigned long>(address) % alignment != 0) {
    simt_host.fault(simt_host.simulator, "an address is not aligned for its type", site);
  }
  simt_host.access(simt_host.simulator, address, bytes, SIMT_CONSTANT, site);
}

template <class T>
SIMT_INTERNAL inline T __ldg(const T* address) {
  simt_read_constant(address, sizeof(T), alignof(T), SIMT_SITE);
  return *address;
}

// A cache hint: what is read is as without it.
template <class T>
SIMT_INTERNAL inline T __ldcs(const T* address) {
  if (reinterpret_cast<unsigned long>(address) % alignof(T) != 0) {
    simt_host.fault(simt_host.simulator, "an address is not aligned for its type", SIMT_SITE);
  }
  simt_host.access(simt_host.simulator, address, sizeof(T), SIMT_READ, SIMT_SITE);
  return *address;
}

__forceinline__ double __hiloint2double(int high, int low) {
  return __longlong_as_double(static_cast<long long>(
      static_cast<unsigned long long>(static_cast<unsigned>(high)) << 32 | static_cast<unsigned>(low)));
}

// A texture object of linear memory is the address of its first element.
using cudaTextureObject_t = unsigned long long;
template <class T>
SIMT_INTERNAL inline T tex1Dfetch(cudaTextureObject_t texture, int element) {
  const T* address = reinterpret_cast<const T*>(texture) + element;
  simt_read_constant(address, sizeof(T), alignof(T), SIMT_SITE);
  return *address;
}
