// The best ant of each kernel: "Coding Ants", section 6.1.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "server/search/kernel_results.h"
#include "server/search/walk_tree.h"

namespace tune {

// Keeps for each kernel the decisions about it of the candidate in which it took the least time. Kernels are
// told apart by their names, so one that other statements are fused into is another one. Not thread safe.
class KernelBests {
 public:
  // Of a correct candidate. True when a kernel is faster than in all before.
  bool Add(const Trace& trace, const std::vector<KernelResult>& kernels);

  // Decisions about kernels, each kernel's from its best ant; a walk to deposit pheromone on.
  const std::vector<TracedDecision>& DecisionsOf(const std::string& kernel) const;
  std::vector<std::string> Kernels() const;

  // key -> option: those of `trace`, but for the kernels in it that are known better.
  std::map<std::string, std::string> Recombine(const Trace& trace) const;

 private:
  struct Best {
    double seconds = 0;
    Trace decisions;
  };
  std::map<std::string, Best> bests_;  // by kernel
};

}  // namespace tune
