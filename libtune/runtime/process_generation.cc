#include "libtune/runtime/process_generation.h"

#include <pthread.h>

#include <atomic>

namespace libtune {
namespace {

std::atomic<int> generation{0};

// The C library forgets the handler when the library that holds it is closed.
const int registered =
    pthread_atfork(nullptr, nullptr, [] { generation.fetch_add(1, std::memory_order_relaxed); });

}  // namespace

int ProcessGeneration() {
  static_cast<void>(registered);
  return generation.load(std::memory_order_relaxed);
}

}  // namespace libtune
