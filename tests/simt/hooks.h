// Definitions of the functions that gcc calls in a CUDA text compiled with -fsanitize=thread (every access to
// memory), -fsanitize=bounds,alignment,integer-divide-by-zero (undefined behaviour) and
// -fsanitize-coverage=trace-pc (every basic block). They are hidden: the sanitizers of the process that loads
// the text do not see them, nor the text theirs.
#pragma once

#include "interface.h"

// A function that is not part of the text: nothing in it is checked, and it is the callee of the text's own
// line.
#define SIMT_INTERNAL \
  __attribute__((no_sanitize_thread, no_sanitize_undefined, no_sanitize_coverage, noinline))
#define SIMT_SITE __builtin_return_address(0)

#define SIMT_ACCESS_HOOK(name, bytes, kind)                                 \
  extern "C" SIMT_INTERNAL void name(void* address) {                       \
    simt_host.access(simt_host.simulator, address, bytes, kind, SIMT_SITE); \
  }
#define SIMT_ACCESS_HOOKS(bytes)                                   \
  SIMT_ACCESS_HOOK(__tsan_read##bytes, bytes, SIMT_READ)           \
  SIMT_ACCESS_HOOK(__tsan_write##bytes, bytes, SIMT_WRITE)         \
  SIMT_ACCESS_HOOK(__tsan_unaligned_read##bytes, bytes, SIMT_READ) \
  SIMT_ACCESS_HOOK(__tsan_unaligned_write##bytes, bytes, SIMT_WRITE)
SIMT_ACCESS_HOOKS(1)
SIMT_ACCESS_HOOKS(2)
SIMT_ACCESS_HOOKS(4)
SIMT_ACCESS_HOOKS(8)
SIMT_ACCESS_HOOKS(16)

extern "C" SIMT_INTERNAL void __tsan_read_range(void* address, unsigned long bytes) {
  simt_host.access(simt_host.simulator, address, bytes, SIMT_READ, SIMT_SITE);
}
extern "C" SIMT_INTERNAL void __tsan_write_range(void* address, unsigned long bytes) {
  simt_host.access(simt_host.simulator, address, bytes, SIMT_WRITE, SIMT_SITE);
}
extern "C" SIMT_INTERNAL void __tsan_init() {}
extern "C" SIMT_INTERNAL void __tsan_func_entry(void*) {}
extern "C" SIMT_INTERNAL void __tsan_func_exit() {}

extern "C" SIMT_INTERNAL void __sanitizer_cov_trace_pc() {
  if (--simt_host.steps >= 0) return;
  simt_host.fault(simt_host.simulator, "the launch does not end within its limit of steps", SIMT_SITE);
}

#define SIMT_FAULT_HOOK(name, what, ...)                   \
  extern "C" SIMT_INTERNAL void name(void*, __VA_ARGS__) { \
    simt_host.fault(simt_host.simulator, what, SIMT_SITE); \
  }
SIMT_FAULT_HOOK(__ubsan_handle_out_of_bounds, "an index is outside of its array's dimension", void*)
SIMT_FAULT_HOOK(__ubsan_handle_type_mismatch_v1, "an address is not aligned for its type", void*)
SIMT_FAULT_HOOK(__ubsan_handle_divrem_overflow, "an integer is divided by zero, or its quotient does not fit",
                void*, void*)
