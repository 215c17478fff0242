// The tops of several hills: where a search goes on that must not end on one of them.
#pragma once

#include <vector>

#include "server/search/known_walk.h"
#include "server/search/walk_tree.h"

namespace tune {

// In how many decisions two walks differ; one that only one of them was asked counts.
int Distance(const Trace& a, const Trace& b);

// The fastest candidates of which none is close to a faster one: "clearing" (Petrowski 1996). Close are walks
// that differ in less than half of the decisions of the longer. Not thread safe.
class Peaks {
 public:
  static constexpr size_t kMost = 4;
  struct Peak {
    int64_t index = 0;  // of the candidate
    double seconds = 0;
    Trace trace;
    KnownWalk known;
  };

  // A candidate that is close to a peak at least as fast is none; a new one ends slower ones close to it.
  void Add(int64_t index, double seconds, const Trace& trace);
  // The fastest first, kMost at most.
  const std::vector<Peak>& all() const { return peaks_; }

 private:
  std::vector<Peak> peaks_;
};

}  // namespace tune
