// Values of one thread at one point of its loops.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "worker/ptx/value_graph.h"

namespace tune {

struct ValuedNumber {
  // kRelative: it is `value` more than something unknown that all threads have in common, as an array's
  // address.
  enum class Knowledge { kKnown, kRelative, kUnknown };

  int64_t value = 0;
  Knowledge knowledge = Knowledge::kKnown;

  bool IsKnown() const { return knowledge == Knowledge::kKnown; }
};

struct ThreadPlace {
  int64_t block[3] = {0, 0, 0};
  int64_t thread[3] = {0, 0, 0};
};

// Values are those of the last evaluation; before it nothing is known.
class Valuation {
 public:
  Valuation(const ValueGraph& graph, const PtxLaunch& launch);

  // Forgets what is known of another thread.
  void SetPlace(const ThreadPlace& place);
  // Which iteration of the loop it is, from 0, and which one leaves it. No value: not known.
  void SetIteration(int loop, std::optional<int64_t> iteration) { iterations_[loop] = iteration; }
  void SetEnd(int loop, std::optional<int64_t> end) { ends_[loop] = end; }
  std::optional<int64_t> Iteration(int loop) const { return iterations_[loop]; }
  // Of a value of a loop that is not linear: what it is in this iteration, until the place changes.
  void SetLoopValue(int symbol, ValuedNumber value) { values_[symbol] = value; }
  // What does not depend on threads along x, whatever it is, counts as the same for all (kRelative).
  void CompareRowsAlone(bool on) { rows_alone_ = on; }

  void Evaluate(int begin, int end);  // symbols from `begin` to below `end`
  void EvaluateAll() { Evaluate(0, static_cast<int>(values_.size())); }
  ValuedNumber Of(const LinearForm& form) const;

 private:
  ValuedNumber Operate(const ValueSymbol& symbol) const;
  ValuedNumber LoopValue(const ValueSymbol& symbol, ValuedNumber now) const;
  ValuedNumber ValueOf(const ValueSymbol& symbol, ValuedNumber now) const;

  const ValueGraph& graph_;
  const PtxLaunch& launch_;
  ThreadPlace place_;
  bool rows_alone_ = false;
  std::vector<std::optional<int64_t>> iterations_, ends_;
  std::vector<ValuedNumber> values_;
};

}  // namespace tune
