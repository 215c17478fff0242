#include "tests/simt/fiber.h"

#include <sys/mman.h>

#include <algorithm>
#include <boost/context/detail/fcontext.hpp>
#include <new>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#elif defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace tune::simt {
namespace {

namespace context = boost::context::detail;

// Functions whose end ThreadSanitizer does not see on a fiber: it must not see their begin either.
#if defined(__SANITIZE_THREAD__)
#define TUNE_ON_FIBER __attribute__((no_sanitize_thread))
#else
#define TUNE_ON_FIBER
#endif

}  // namespace

// First function on a fiber's stack.
struct FiberEntry {
  TUNE_ON_FIBER static void Run(context::transfer_t transfer) {
    auto* set = static_cast<FiberSet*>(transfer.data);
    set->owner_context_ = transfer.fctx;
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(nullptr, &set->owner_stack_, &set->owner_stack_bytes_);
#endif
    const FiberSet::Fiber& fiber = set->fibers_[set->running_];
    fiber.function(fiber.argument, set->running_);
    set->fibers_[set->running_].ended = true;
    set->Suspend();
    __builtin_trap();  // nobody resumes a fiber that has ended
  }
};

FiberSet::~FiberSet() { Release(); }

void FiberSet::Release() {
#if defined(__SANITIZE_THREAD__)
  for (Fiber& fiber : fibers_) {
    if (fiber.sanitizer != nullptr) __tsan_destroy_fiber(fiber.sanitizer);
  }
#elif defined(__SANITIZE_ADDRESS__)
  if (stacks_ != nullptr) __asan_unpoison_memory_region(stacks_, fibers_.size() * kStack);
#endif
  if (stacks_ != nullptr) munmap(stacks_, fibers_.size() * kStack);
  stacks_ = nullptr;
  fibers_.clear();
}

void FiberSet::Reserve(int count) {
  if (count <= static_cast<int>(fibers_.size())) return;
  Release();
  void* memory = mmap(nullptr, count * kStack, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  stacks_ = static_cast<char*>(memory);
  fibers_.resize(count);
  for (int i = 0; i < std::min(count, kGuarded); ++i) mprotect(Stack(i), kGuard, PROT_NONE);
}

void FiberSet::Start(int fiber, Function function, void* argument) {
  Fiber& state = fibers_[fiber];
  state.function = function;
  state.argument = argument;
#if defined(__SANITIZE_ADDRESS__)
  if (!state.ended) __asan_unpoison_memory_region(Stack(fiber) + kGuard, kStack - kGuard);
  state.sanitizer = nullptr;
#elif defined(__SANITIZE_THREAD__)
  if (state.sanitizer != nullptr && !state.ended) {
    __tsan_destroy_fiber(state.sanitizer);
    state.sanitizer = nullptr;
  }
  if (state.sanitizer == nullptr) state.sanitizer = __tsan_create_fiber(0);
#endif
  state.ended = false;
  state.context = context::make_fcontext(Top(fiber), Top(fiber) - Stack(fiber) - kGuard, &FiberEntry::Run);
}

void FiberSet::Resume(int fiber) {
  Fiber& state = fibers_[fiber];
  running_ = fiber;
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_start_switch_fiber(&owner_sanitizer_, Stack(fiber) + kGuard, kStack - kGuard);
#elif defined(__SANITIZE_THREAD__)
  owner_sanitizer_ = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(state.sanitizer, 0);
#endif
  state.context = context::jump_fcontext(state.context, this).fctx;
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(owner_sanitizer_, nullptr, nullptr);
#endif
  running_ = -1;
}

TUNE_ON_FIBER void FiberSet::Suspend() {
  [[maybe_unused]] Fiber& state = fibers_[running_];
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_start_switch_fiber(&state.sanitizer, owner_stack_, owner_stack_bytes_);
#elif defined(__SANITIZE_THREAD__)
  __tsan_switch_to_fiber(owner_sanitizer_, 0);
#endif
  owner_context_ = context::jump_fcontext(owner_context_, this).fctx;
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(state.sanitizer, &owner_stack_, &owner_stack_bytes_);
#endif
}

bool FiberSet::OnStack(int fiber, uintptr_t address, size_t bytes) const {
  const uintptr_t begin = reinterpret_cast<uintptr_t>(Stack(fiber)) + kGuard;
  const uintptr_t end = begin + (kStack - kGuard);
  return address >= begin && address <= end && bytes <= end - address;
}

}  // namespace tune::simt
