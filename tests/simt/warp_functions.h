// Barriers and operations of a warp, CUDA C++ Programming Guide 10.6 (__syncthreads), 10.19 (votes) and 10.22
// (shuffles); the barrier of all blocks of a cooperative launch.
#pragma once

#include "interface.h"

SIMT_INTERNAL inline void simt_barrier(int line) { simt_host.barrier(simt_host.simulator, line); }
SIMT_INTERNAL inline void simt_grid_barrier(int line) { simt_host.grid_barrier(simt_host.simulator, line); }

SIMT_INTERNAL inline unsigned long long simt_vote(int line, simt_operation operation, unsigned mask,
                                                  bool predicate) {
  const simt_exchange call = {operation, line, mask, 32, 0, 1, predicate};
  return simt_host.exchange(simt_host.simulator, &call);
}
SIMT_INTERNAL inline void simt_syncwarp(int line, unsigned mask = 0xffffffff) {
  simt_vote(line, SIMT_SYNCWARP, mask, false);
}
SIMT_INTERNAL inline unsigned simt_ballot(int line, unsigned mask, bool predicate) {
  return static_cast<unsigned>(simt_vote(line, SIMT_BALLOT, mask, predicate));
}

template <class T>
SIMT_INTERNAL inline T simt_shuffle(int line, simt_operation operation, unsigned mask, T value, int parameter,
                                    int width = 32) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "a shuffle moves 4 or 8 bytes");
  simt_exchange call = {operation, line, mask, width, parameter, sizeof(T), 0};
  __builtin_memcpy(&call.value, &value, sizeof(T));
  call.value = simt_host.exchange(simt_host.simulator, &call);
  __builtin_memcpy(&value, &call.value, sizeof(T));
  return value;
}

SIMT_INTERNAL inline unsigned __activemask() { return simt_host.active_lanes(simt_host.simulator); }

#define __syncthreads() simt_barrier(__LINE__)
// Texts define it, as a loop that waits for the other blocks, only where nobody has.
#define TUNE_GRID_BARRIER() simt_grid_barrier(__LINE__)
#define __syncwarp(...) simt_syncwarp(__LINE__, ##__VA_ARGS__)
#define __ballot_sync(...) simt_ballot(__LINE__, __VA_ARGS__)
#define __any_sync(mask, predicate) static_cast<int>(simt_ballot(__LINE__, mask, predicate) != 0)
#define __all_sync(mask, predicate) static_cast<int>(simt_ballot(__LINE__, mask, !(predicate)) == 0)
#define __shfl_sync(...) simt_shuffle(__LINE__, SIMT_SHUFFLE, __VA_ARGS__)
#define __shfl_up_sync(...) simt_shuffle(__LINE__, SIMT_SHUFFLE_UP, __VA_ARGS__)
#define __shfl_down_sync(...) simt_shuffle(__LINE__, SIMT_SHUFFLE_DOWN, __VA_ARGS__)
#define __shfl_xor_sync(...) simt_shuffle(__LINE__, SIMT_SHUFFLE_XOR, __VA_ARGS__)
