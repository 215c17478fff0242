// Fibers: stacks that one operating system thread switches between.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tune::simt {

// Numbered fibers. The owner resumes a fiber, which runs until it suspends itself or its function ends; a
// suspended fiber may be forgotten: its stack is used again by the next Start, nothing on it is destroyed.
// Known to AddressSanitizer and ThreadSanitizer. Used by one thread at a time.
class FiberSet {
 public:
  using Function = void (*)(void* argument, int fiber);

  FiberSet() = default;
  ~FiberSet();
  FiberSet(const FiberSet&) = delete;
  FiberSet& operator=(const FiberSet&) = delete;

  // Room for fibers 0 .. count - 1. Not while a fiber runs. Memory is taken only for what stacks really use.
  void Reserve(int count);

  // The next Resume of `fiber` calls function(argument, fiber) on an empty stack.
  void Start(int fiber, Function function, void* argument);

  // To be called from outside of the fibers.
  void Resume(int fiber);

  // To be called from the running fiber: returns from Resume. Returns when the fiber is resumed.
  void Suspend();

  // Whether [address, address + bytes) lies in the stack of `fiber`.
  bool OnStack(int fiber, uintptr_t address, size_t bytes) const;

 private:
  struct Fiber {
    void* context = nullptr;    // where it goes on
    void* sanitizer = nullptr;  // TSan's name of the fiber, or ASan's saved stack frames
    bool ended = true;          // nothing is left on the stack by an earlier use
    Function function = nullptr;
    void* argument = nullptr;
  };

  static constexpr size_t kGuard = 4096;
  // Including the guard page below it. Stacks are no power of two apart and differ in where they begin in a
  // page: else the caches would keep the top of only a few.
  static constexpr size_t kStack = size_t{260} << 10;
  static constexpr size_t kPlaces = 32, kPlaceBytes = 128;
  // Only the first fibers have one: each costs two of the about 65000 mappings of a process.
  static constexpr int kGuarded = 4096;
  char* Stack(int fiber) const { return stacks_ + fiber * kStack; }
  char* Top(int fiber) const { return Stack(fiber + 1) - fiber % kPlaces * kPlaceBytes; }
  void Release();

  char* stacks_ = nullptr;
  std::vector<Fiber> fibers_;
  int running_ = -1;
  void* owner_context_ = nullptr;
  void* owner_sanitizer_ = nullptr;
  const void* owner_stack_ = nullptr;
  size_t owner_stack_bytes_ = 0;

  friend struct FiberEntry;
};

}  // namespace tune::simt
