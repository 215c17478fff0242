// Runs the threads of a block, one fiber each.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "common/base/random.h"
#include "tests/simt/copies.h"
#include "tests/simt/fiber.h"
#include "tests/simt/interface.h"
#include "tests/simt/shadow.h"
#include "tests/simt/warp.h"

namespace tune::simt {

// What a thread did that it must not do.
struct Violation {
  uint32_t thread = 0;
  std::string what;            // "the read of 4 bytes at A+16 races with a write"
  const void* site = nullptr;  // of the code, or
  int line = 0;                // of the text; 0: see site
  Shadow::Fault::With with = Shadow::Fault::With::kNobody;  // see Shadow::Fault
  uint32_t number = 0;
};

// The blocks of one launch after another, or one of several that take turns. Threads run until they end or
// wait; which of those that can go on runs next is random.
class Block {
 public:
  // Its threads are the fibers from `first_fiber`. `text` calls back to the block that ran last. All must
  // outlive it.
  Block(Shadow* shadow, simt_interface* text, FiberSet* fibers, int first_fiber);
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  // Precondition: at most 1024 threads, of a launch that is valid; there are fibers for them. A grid barrier
  // is a fault unless `grid_barriers`.
  void BeginLaunch(const simt_kernel& kernel, void** arguments, const std::array<unsigned, 3>& dimension,
                   bool grid_barriers);

  // Every thread is at its begin.
  void Begin(const std::array<unsigned, 3>& index);

  // kFault: see violation(); the launch is over then.
  enum class Stop { kEnded, kBarrier, kGridBarrier, kFault };

  // Runs all threads from where they are until all have ended or wait at the same barrier.
  Stop Advance(Random& random);

  const Violation& violation() const { return violation_; }
  const std::array<unsigned, 3>& index() const { return index_; }
  int line() const { return threads_[0].line; }  // of the barrier where all wait

  int64_t accesses() const { return accesses_; }
  int64_t barriers() const { return barriers_; }

 private:
  enum class State : uint8_t { kReady, kBarrier, kGridBarrier, kWarp, kEnded };
  struct Thread {
    std::array<unsigned, 3> index;
    State state = State::kReady;
    int line = 0;  // of the barrier where it waits
    Copies copies;

    bool AtBarrier() const { return state == State::kBarrier || state == State::kGridBarrier; }
    bool SameBarrier(const Thread& other) const { return state == other.state && line == other.line; }
  };

  static void RunThread(void* block, int thread);
  static void OnAccess(void* block, const void* address, unsigned long bytes, unsigned kind,
                       const void* site);
  static void OnBarrier(void* block, int line);
  static void OnGridBarrier(void* block, int line);
  static unsigned long long OnExchange(void* block, const simt_exchange* call);
  static unsigned OnActiveLanes(void* block);
  static void OnFault(void* block, const char* what, const void* site);
  static void OnBeginCopy(void* block, void* to, const void* from, unsigned bytes, const void* site);
  static void OnCommitCopies(void* block);
  static void OnAwaitCopies(void* block, int open, const void* site);

  void Resume(uint32_t thread);
  void Wait(State state, int line);
  bool AllAtOneBarrier() const;
  void ReleaseBarrier();
  void Explain();
  std::string Describe(uint32_t thread) const;
  void Access(const void* address, size_t bytes, unsigned kind, const void* site);
  void RefuseAccess(Shadow::Verdict verdict, uintptr_t address, size_t bytes, unsigned kind,
                    const void* site);
  void Fail(std::string&& what, const void* site, int line);
  void UpdateAccessor();

  Shadow* shadow_;
  simt_interface* text_;
  FiberSet* fibers_;
  int first_fiber_;
  const simt_kernel* kernel_ = nullptr;
  void** arguments_ = nullptr;
  bool grid_barriers_ = false;
  std::array<unsigned, 3> index_{};
  std::vector<Thread> threads_;
  std::vector<Warp> warps_;
  std::vector<uint32_t> ready_;
  Accessor accessor_{};  // of the running thread
  uint32_t ended_ = 0;
  uint32_t at_barrier_ = 0;
  bool failed_ = false;
  Violation violation_;
  int64_t accesses_ = 0;
  int64_t barriers_ = 0;
};

}  // namespace tune::simt
