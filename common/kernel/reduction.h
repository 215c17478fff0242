// Loops of a kernel that only accumulate: their iterations may run on several threads.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/dependence/dependence.h"

namespace tune {

constexpr int64_t kMostOfPiece = 4;  // consecutive iterations that a thread may run at a time

// A member of a kernel's root band of which two iterations depend on each other only through updates of the
// one element by one operator (x = x op e, op associative and commutative, up to rounding). At fixed
// values of the coincident members all instances of `before` may run first, then, in any order of the
// member's values, those of `along` and `reduced`, then those of `after`.
struct KernelReduction {
  int member = 0;
  // Statements of the kernel, in its order. `reduced`: the updates. `along`: what each iteration does beside
  // them, for itself alone, such as making the updates' terms. Those in `before` and `after` have at most one
  // instance at fixed values of the coincident members.
  std::vector<std::string> before, along, reduced, after;
  // What those who share the reduction run: `along` and `reduced`.
  std::vector<std::string> Shared() const {
    std::vector<std::string> shared = along;
    shared.insert(shared.end(), reduced.begin(), reduced.end());
    return shared;
  }
  // Consecutive iterations read consecutive elements of the largest array that they read.
  bool contiguous = false;
  // Blocks may share it: there is nothing before and after, and CUDA has atomic operations for the updates.
  bool atomic = false;
  // Among these is the addition of doubles, which older devices lack.
  bool adds_doubles = false;
  // At fixed values of the coincident members the iterations are whole pieces of so many, the largest power
  // of two up to kMostOfPiece: each begins at a multiple of that.
  int64_t whole_pieces = 1;
};

// The reduction of the kernel below whose mark `band` stands, with all of the kernel's `statements` at the
// leaves of a tree without further bands; nothing when there is none. `repeats`: which members of the band
// loop more than once. Throws isl::exception.
std::optional<KernelReduction> FindReduction(const isl::schedule_node_band& band,
                                             const std::vector<std::string>& statements,
                                             const std::vector<bool>& repeats, const ParsedScop& scop,
                                             const Dependences& dependences, const isl::set& values);

}  // namespace tune
