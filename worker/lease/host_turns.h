// Who works on the host beside whom.
#pragma once

#include <cstdint>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"

namespace tune {

enum class HostUse {
  kAlone,      // measures on the host's processor
  kCandidate,  // makes a candidate for a GPU, and runs it there; the original before it where its data are
               // not there yet
  kOriginal,   // runs an original program whose candidates are for a GPU
};

// Who is there, and for what.
struct HostCrowd {
  int alone = 0;  // at most one
  int candidates = 0;
  int originals = 0;
  int waiting = 0;  // who want the host for themselves
  int others_waiting = 0;
  int next = 0;  // of those: who waited when the last one left that had the host for itself

  int& Of(HostUse use) {
    return use == HostUse::kAlone ? alone : use == HostUse::kCandidate ? candidates : originals;
  }
  // Whether one more may come. What is measured on the host has it for itself; all else is there together.
  // Who wants it for itself is not kept waiting by those who come later, unless an original program, which
  // can take many minutes, keeps it waiting anyway: candidates for GPUs, which take seconds, go on until that
  // one ends. Who waited while one had the host for itself comes before the next such one.
  bool Admits(HostUse use) const {
    if (alone > 0) return false;
    if (use == HostUse::kAlone) return candidates + originals == 0 && next == 0;
    return waiting == 0 || next > 0 || (use == HostUse::kCandidate && originals > 0);
  }
};

// Thread safe.
class HostTurns {
 public:
  HostTurns() = default;
  HostTurns(const HostTurns&) = delete;
  HostTurns& operator=(const HostTurns&) = delete;

  // Is there from the end of the constructor, which waits until it is admitted.
  class Turn {
   public:
    Turn(HostTurns* host, HostUse use);
    ~Turn();
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

    // Whether others have been there at some time since it began.
    bool beside_others() const;

   private:
    HostTurns* const host_;
    const HostUse use_;
    bool found_others_ = false;
    int64_t number_ = 0;  // of this turn, from 1
  };

 private:
  mutable absl::Mutex mutex_;
  HostCrowd crowd_ ABSL_GUARDED_BY(mutex_);
  int64_t begun_ ABSL_GUARDED_BY(mutex_) = 0;  // turns so far
};

}  // namespace tune
