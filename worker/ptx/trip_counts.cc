#include "worker/ptx/trip_counts.h"

#include <algorithm>

#include "worker/ptx/value_arithmetic.h"

namespace tune {
namespace {

constexpr int kMostConditions = 4;   // of "and" and "or" in a condition
constexpr int64_t kMostSteps = 512;  // that are gone one by one
constexpr size_t kMostExits = 8;     // of a loop that are looked at

// The smallest k from 0 for which `first` + k * `step` compares to 0 as `comparison` says.
std::optional<int64_t> FirstOf(ValueOperation comparison, int64_t first, int64_t step) {
  switch (comparison) {
    case ValueOperation::kLess:
      if (first < 0) return 0;
      return step < 0 ? std::optional(first / -step + 1) : std::nullopt;
    case ValueOperation::kLessEqual:
      if (first <= 0) return 0;
      return step < 0 ? std::optional((first - 1) / -step + 1) : std::nullopt;
    case ValueOperation::kGreater:
      return FirstOf(ValueOperation::kLess, -first, -step);
    case ValueOperation::kGreaterEqual:
      return FirstOf(ValueOperation::kLessEqual, -first, -step);
    case ValueOperation::kEqual:
      if (first == 0) return 0;
      if (step == 0 || first % step != 0 || first / step > 0) return std::nullopt;
      return -(first / step);
    case ValueOperation::kUnequal:
      if (first != 0) return 0;
      return step != 0 ? std::optional<int64_t>(1) : std::nullopt;
    default:
      return std::nullopt;
  }
}

ValueOperation Opposite(ValueOperation comparison) {
  switch (comparison) {
    case ValueOperation::kLess:
      return ValueOperation::kGreaterEqual;
    case ValueOperation::kLessEqual:
      return ValueOperation::kGreater;
    case ValueOperation::kGreater:
      return ValueOperation::kLessEqual;
    case ValueOperation::kGreaterEqual:
      return ValueOperation::kLess;
    case ValueOperation::kEqual:
      return ValueOperation::kUnequal;
    default:
      return ValueOperation::kEqual;
  }
}

}  // namespace

std::vector<std::vector<LoopExit>> ExitsOf(const ControlFlow& flow) {
  std::vector<std::vector<LoopExit>> exits(flow.loops.size());
  for (size_t loop = 0; loop < exits.size(); ++loop) {
    const NaturalLoop& of = flow.loops[loop];
    for (const int block : of.blocks) {
      const BasicBlock& from = flow.blocks[block];
      if (!from.is_conditional || from.successors.size() != 2 || exits[loop].size() == kMostExits) continue;
      const bool branch_stays = flow.Contains(static_cast<int>(loop), from.successors[0]);
      const bool next_stays = flow.Contains(static_cast<int>(loop), from.successors[1]);
      if (branch_stays == next_stays) continue;
      const bool is_latch = std::find(of.latches.begin(), of.latches.end(), block) != of.latches.end();
      exits[loop].push_back({block, next_stays, is_latch});
    }
  }
  return exits;
}

TripCounter::TripCounter(const ControlFlow& flow, const ValueGraph& graph, Valuation& valuation,
                         int64_t budget)
    : flow_(flow), graph_(graph), valuation_(valuation), budget_(budget), exits_(ExitsOf(flow)) {
  FindWhatIsNotLinear();
}

void TripCounter::FindWhatIsNotLinear() {
  not_linear_.resize(flow_.loops.size());
  follows_not_linear_.resize(flow_.loops.size());
  for (int loop = 0; loop < static_cast<int>(flow_.loops.size()); ++loop) {
    const auto [begin, end] = graph_.loops[loop];
    for (int i = begin; i < end; ++i) {
      const ValueSymbol& symbol = graph_.symbols[i];
      const bool is_own =
          symbol.kind == ValueSymbol::Kind::kLoopValue && !symbol.is_linear && symbol.loop == loop;
      if (is_own) not_linear_[loop].push_back(i);
      follows_not_linear_[loop].push_back(is_own || !IsLinear(loop, symbol.a) || !IsLinear(loop, symbol.b) ||
                                          !IsLinear(loop, symbol.c));
    }
  }
}

// Symbols that are not looked at yet, as what comes out of an inner loop's iteration, count as linear.
bool TripCounter::IsLinear(int loop, const LinearForm& form) const {
  const std::vector<bool>& follows = follows_not_linear_[loop];
  return std::none_of(form.terms.begin(), form.terms.end(), [&](const auto& term) {
    const int at = term.first - graph_.loops[loop].begin;
    return at >= 0 && at < static_cast<int>(follows.size()) && follows[at];
  });
}

void TripCounter::Advance(int loop, int64_t iteration) {
  std::vector<ValuedNumber> next;
  for (const int symbol : not_linear_[loop]) next.push_back(valuation_.Of(graph_.symbols[symbol].c));
  for (size_t i = 0; i < next.size(); ++i) valuation_.SetLoopValue(not_linear_[loop][i], next[i]);
  Evaluate(loop, iteration);
}

void TripCounter::Evaluate(int loop, int64_t iteration) {
  const auto [begin, end] = graph_.loops[loop];
  if (!Spend(end - begin)) return;
  valuation_.SetIteration(loop, iteration);
  valuation_.Evaluate(begin, end);
}

std::optional<bool> TripCounter::Holds(int loop, const LinearForm& condition, int64_t iteration) {
  Evaluate(loop, iteration);
  const ValuedNumber value = valuation_.Of(condition);
  if (budget_ < 0 || !value.IsKnown()) return std::nullopt;
  return value.value != 0;
}

TripCounter::Solution TripCounter::SolveLinear(int loop, const ValueSymbol& comparison, bool when) {
  int64_t differences[3];
  for (int k = 0; k < 3; ++k) {
    Evaluate(loop, k);
    const ValuedNumber value = valuation_.Of(comparison.a);
    if (!value.IsKnown()) return {};
    differences[k] = value.value;
  }
  int64_t step = 0, next = 0;
  if (__builtin_sub_overflow(differences[1], differences[0], &step) || step == INT64_MIN ||
      differences[0] == INT64_MIN || __builtin_add_overflow(differences[1], step, &next) ||
      next != differences[2])
    return {};
  return {true, FirstOf(when ? comparison.operation : Opposite(comparison.operation), differences[0], step)};
}

void TripCounter::GoTo(int loop, int64_t iteration) {
  if (not_linear_[loop].empty()) {
    Evaluate(loop, iteration);
    return;
  }
  Evaluate(loop, 0);
  for (int64_t k = 1; k <= std::min(iteration, kMostSteps) && budget_ >= 0; ++k) Advance(loop, k);
}

// Iteration by iteration.
std::optional<int64_t> TripCounter::Step(int loop, const LinearForm& condition, bool when) {
  Evaluate(loop, 0);
  for (int64_t k = 0; k <= kMostSteps; ++k) {
    const ValuedNumber value = valuation_.Of(condition);
    if (budget_ < 0 || !value.IsKnown()) return std::nullopt;
    if ((value.value != 0) == when) return k;
    Advance(loop, k + 1);
  }
  return std::nullopt;
}

// The operation that a form is the result of; nullptr where it is something else.
const ValueSymbol* TripCounter::OperationOf(const LinearForm& form) const {
  if (form.terms.size() != 1 || form.terms[0].second != 1 || form.constant != 0) return nullptr;
  const ValueSymbol& symbol = graph_.symbols[form.terms[0].first];
  return symbol.kind == ValueSymbol::Kind::kOperation ? &symbol : nullptr;
}

bool TripCounter::IsPredicate(const LinearForm& form) const {
  const ValueSymbol* const symbol = OperationOf(form);
  if (symbol == nullptr) return false;
  if (IsComparison(symbol->operation)) return true;
  // "and" of numbers may be of predicates too: what it is of says which.
  const auto compares = [&](const LinearForm& operand) {
    const ValueSymbol* const of = OperationOf(operand);
    return of != nullptr && IsComparison(of->operation);
  };
  return (symbol->operation == ValueOperation::kAnd || symbol->operation == ValueOperation::kOr) &&
         compares(symbol->a) && compares(symbol->b);
}

std::optional<int64_t> TripCounter::FirstTrue(int loop, const LinearForm& condition, bool when, int depth) {
  const ValueSymbol* const symbol = depth < kMostConditions ? OperationOf(condition) : nullptr;
  if (symbol == nullptr) return Step(loop, condition, when);
  const ValueOperation operation = symbol->operation;
  if (operation == ValueOperation::kEqual && IsPredicate(symbol->a))
    return FirstTrue(loop, symbol->a, !when, depth + 1);
  if (operation == (when ? ValueOperation::kOr : ValueOperation::kAnd)) {
    // One of both suffices. Where one is not known the other one still bounds the loop.
    const std::optional<int64_t> a = FirstTrue(loop, symbol->a, when, depth + 1);
    const std::optional<int64_t> b = FirstTrue(loop, symbol->b, when, depth + 1);
    return a.has_value() && b.has_value() ? std::min(a, b) : a.has_value() ? a : b;
  }
  if (IsComparison(operation) && IsLinear(loop, symbol->a)) {
    const auto [is_linear, first] = SolveLinear(loop, *symbol, when);
    // What is no line after all does not hold there, or held before.
    if (is_linear && (!first.has_value() || (Holds(loop, condition, *first) == when &&
                                             (*first == 0 || Holds(loop, condition, *first - 1) == !when))))
      return first;
  }
  return Step(loop, condition, when);
}

std::optional<LoopEnd> TripCounter::EndOf(int loop) {
  std::optional<LoopEnd> end;
  for (size_t i = 0; i < exits_[loop].size(); ++i) {
    const LoopExit& exit = exits_[loop][i];
    const std::optional<LinearForm>& condition = graph_.conditions[exit.block];
    if (!condition.has_value()) continue;
    const std::optional<int64_t> first = FirstTrue(loop, *condition, exit.leaves_when, 0);
    if (first.has_value() && (!end.has_value() || *first < end->iteration)) end = LoopEnd{*first, i};
  }
  return end;
}

}  // namespace tune
