// How often loops iterate, for one thread at one point of the loops around.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "worker/ptx/control_flow.h"
#include "worker/ptx/valuation.h"

namespace tune {

// Where a loop can be left: by the edge from `block` that is taken when its condition is `leaves_when`.
struct LoopExit {
  int block = 0;
  bool leaves_when = true;
  bool is_latch = false;  // the block is the last one of each iteration
};

// Of each loop; an exit by anything but a conditional branch is not among them.
std::vector<std::vector<LoopExit>> ExitsOf(const ControlFlow& flow);

struct LoopEnd {
  int64_t iteration = 0;  // the one that leaves, from 0
  size_t exit = 0;        // index of the exits of its loop
};

class TripCounter {
 public:
  // Evaluates at most `budget` symbols; after that no count is found. All but the number outlive it.
  TripCounter(const ControlFlow& flow, const ValueGraph& graph, Valuation& valuation, int64_t budget);

  // The first iteration that leaves, of all exits whose conditions can be followed. Loops around it have
  // their iterations. Symbols of the loop, and its iteration, are changed.
  std::optional<LoopEnd> EndOf(int loop);
  // Gives symbols of the loop, those that are not linear too, their values in that iteration.
  void GoTo(int loop, int64_t iteration);

  const std::vector<LoopExit>& exits(int loop) const { return exits_[loop]; }
  // Takes so much of the budget. False when none is left.
  bool Spend(int64_t symbols) { return (budget_ -= symbols) >= 0; }

 private:
  void Evaluate(int loop, int64_t iteration);
  void Advance(int loop, int64_t iteration);  // from the iteration before
  void FindWhatIsNotLinear();
  bool IsLinear(int loop, const LinearForm& form) const;
  const ValueSymbol* OperationOf(const LinearForm& form) const;
  bool IsPredicate(const LinearForm& form) const;
  std::optional<int64_t> FirstTrue(int loop, const LinearForm& condition, bool when, int depth);
  // Of a comparison whose sides move apart by the same amount in each iteration; no value of `first`: never.
  struct Solution {
    bool is_linear = false;
    std::optional<int64_t> first;
  };
  Solution SolveLinear(int loop, const ValueSymbol& comparison, bool when);
  std::optional<int64_t> Step(int loop, const LinearForm& condition, bool when);
  std::optional<bool> Holds(int loop, const LinearForm& condition, int64_t iteration);

  const ControlFlow& flow_;
  const ValueGraph& graph_;
  Valuation& valuation_;
  int64_t budget_;
  std::vector<std::vector<LoopExit>> exits_;
  std::vector<std::vector<int>> not_linear_;  // loop values of each loop
  // Of each loop's symbols, by their distance from its first one: whether they depend on these values.
  std::vector<std::vector<bool>> follows_not_linear_;
};

}  // namespace tune
