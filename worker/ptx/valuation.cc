#include "worker/ptx/valuation.h"

#include <algorithm>

#include "common/device/occupancy.h"
#include "worker/ptx/value_arithmetic.h"

namespace tune {
namespace {

using Knowledge = ValuedNumber::Knowledge;
using SymbolKind = ValueSymbol::Kind;

constexpr ValuedNumber kNothing = {0, Knowledge::kUnknown};

ValuedNumber Known(std::optional<int64_t> value) {
  return value.has_value() ? ValuedNumber{*value, Knowledge::kKnown} : kNothing;
}

}  // namespace

Valuation::Valuation(const ValueGraph& graph, const PtxLaunch& launch)
    : graph_(graph),
      launch_(launch),
      iterations_(graph.loops.size()),
      ends_(graph.loops.size()),
      values_(graph.symbols.size(), kNothing) {}

void Valuation::SetPlace(const ThreadPlace& place) {
  place_ = place;
  std::fill(values_.begin(), values_.end(), kNothing);
}

ValuedNumber Valuation::Of(const LinearForm& form) const {
  ValuedNumber sum{form.constant, Knowledge::kKnown};
  for (const auto& [symbol, coefficient] : form.terms) {
    const ValuedNumber& term = values_[symbol];
    int64_t product = 0;
    if (term.knowledge == Knowledge::kUnknown || __builtin_mul_overflow(term.value, coefficient, &product) ||
        __builtin_add_overflow(sum.value, product, &sum.value))
      return kNothing;
    sum.knowledge = std::max(sum.knowledge, term.knowledge);
  }
  return sum;
}

ValuedNumber Valuation::Operate(const ValueSymbol& symbol) const {
  const ValuedNumber a = Of(symbol.a), b = Of(symbol.b);
  if (symbol.operation == ValueOperation::kSelect)
    return a.IsKnown() ? Of(a.value != 0 ? symbol.b : symbol.c) : kNothing;
  if (symbol.operation == ValueOperation::kAnd || symbol.operation == ValueOperation::kMultiply) {
    if ((a.IsKnown() && a.value == 0) || (b.IsKnown() && b.value == 0)) return {};
  }
  if (!a.IsKnown() || !b.IsKnown()) return kNothing;
  return Known(Compute(symbol.operation, a.value, b.value, 0));
}

ValuedNumber Valuation::LoopValue(const ValueSymbol& symbol, ValuedNumber now) const {
  const std::optional<int64_t> iteration = iterations_[symbol.loop];
  if (!symbol.is_linear) return iteration == 0 ? Of(symbol.a) : now;
  if (!iteration.has_value()) return kNothing;
  const ValuedNumber before = Of(symbol.a), step = Of(symbol.b);
  ValuedNumber value = before;
  int64_t product = 0;
  if (before.knowledge == Knowledge::kUnknown || step.knowledge == Knowledge::kUnknown ||
      __builtin_mul_overflow(step.value, *iteration, &product) ||
      __builtin_add_overflow(before.value, product, &value.value))
    return kNothing;
  value.knowledge = std::max(before.knowledge, step.knowledge);
  return value;
}

ValuedNumber Valuation::ValueOf(const ValueSymbol& symbol, ValuedNumber now) const {
  switch (symbol.kind) {
    case SymbolKind::kThread:
      return {place_.thread[symbol.axis], Knowledge::kKnown};
    case SymbolKind::kBlock:
      return {place_.block[symbol.axis], Knowledge::kKnown};
    case SymbolKind::kLane:
      return {
          (place_.thread[0] + launch_.block[0] * (place_.thread[1] + launch_.block[1] * place_.thread[2])) %
              kWarpThreads,
          Knowledge::kKnown};
    case SymbolKind::kUnknown:
      return symbol.depends == 0 ? ValuedNumber{0, Knowledge::kRelative} : kNothing;
    case SymbolKind::kOperation:
      return Operate(symbol);
    case SymbolKind::kLoopValue:
      return LoopValue(symbol, now);
    case SymbolKind::kLoopEnd:
      return Known(ends_[symbol.loop]);
  }
  return kNothing;
}

void Valuation::Evaluate(int begin, int end) {
  for (int i = begin; i < end; ++i) {
    const ValueSymbol& symbol = graph_.symbols[i];
    values_[i] = ValueOf(symbol, values_[i]);
    const uint8_t may_differ = rows_alone_ ? kOnThreadX : kOnAll;
    if (values_[i].knowledge == Knowledge::kUnknown && (symbol.depends & may_differ) == 0)
      values_[i] = {0, Knowledge::kRelative};
  }
}

}  // namespace tune
