// Orders of statements that are made loop by loop.
#pragma once

#include <cstddef>
#include <vector>

#include "common/isl/isl.h"

namespace tune {

// The instances of a statement with their times in loops, outermost first: { S -> [t] } each.
struct TimedInstances {
  isl::set instances;
  std::vector<isl::pw_aff> times;
};

// What follows throws isl::exception.

// The parts, at least one, in this order.
isl::schedule SequenceOf(const std::vector<isl::schedule>& parts);

// Loops from number `first` on around `inside`, which is of these statements.
isl::schedule LoopsOver(const std::vector<TimedInstances>& statements, size_t first, isl::schedule inside);

// The instances without loops, of one statement or of each.
isl::schedule LeafOf(const TimedInstances& statement);
std::vector<isl::schedule> LeavesOf(const std::vector<TimedInstances>& statements);

// The statement in some of its loops.
TimedInstances InLoops(const TimedInstances& statement, const std::vector<int>& loops);

}  // namespace tune
