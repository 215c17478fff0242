// Asynchronous copies from global into shared memory (PTX ISA, "cp.async"): the simulator turns their
// instructions into these calls.
#pragma once

#include "interface.h"

SIMT_INTERNAL inline void simt_copy_asynchronously(void* to, const void* from, unsigned bytes) {
  simt_host.begin_copy(simt_host.simulator, to, from, bytes, SIMT_SITE);
}
SIMT_INTERNAL inline void simt_commit_copies() { simt_host.commit_copies(simt_host.simulator); }
// Until all groups but the last `open` ones have arrived; less than 0: and what is in no group yet.
SIMT_INTERNAL inline void simt_await_copies(int open) {
  simt_host.await_copies(simt_host.simulator, open, SIMT_SITE);
}
