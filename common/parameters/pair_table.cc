#include "common/parameters/pair_table.h"

#include <algorithm>
#include <utility>

#include "common/expression/evaluator.h"

namespace tune {
namespace {

constexpr size_t kMostPairs = 16'384;

std::optional<bool> HoldsFor(const ExpressionNode& root, absl::Span<const Value> slots,
                             const EvaluationLimits& limits) {
  int64_t whole = 0;
  if (EvaluateWhole(root, slots, &whole)) return whole != 0;
  const absl::StatusOr<Value> value = EvaluateNode(root, slots, limits);
  return value.ok() ? std::optional<bool>(value->IsTrue()) : std::nullopt;
}

}  // namespace

std::optional<PairTable> PairTable::Make(const ParameterSpaceDescription& description,
                                         const ParameterConstraint& constraint, const Candidates& candidates,
                                         int first, int second, const EvaluationLimits& limits) {
  if (candidates[first].size() * candidates[second].size() > kMostPairs) return std::nullopt;
  PairTable table;
  table.first_ = first;
  table.second_ = second;
  table.row_of_value_.assign(description.parameters[first].values.size(), -1);
  std::vector<Value> slots(std::max(first, second) + 1);
  for (const int value : candidates[first]) {
    slots[first] = description.parameters[first].values[value];
    std::vector<bool> row(description.parameters[second].values.size());
    size_t allowed = 0;
    for (const int other : candidates[second]) {
      slots[second] = description.parameters[second].values[other];
      const std::optional<bool> holds = HoldsFor(constraint.root, slots, limits);
      if (!holds.has_value()) return std::nullopt;
      row[other] = *holds;
      allowed += *holds ? 1 : 0;
    }
    const auto same = std::find(table.rows_.begin(), table.rows_.end(), row);
    table.row_of_value_[value] = static_cast<int>(same - table.rows_.begin());
    if (same != table.rows_.end()) continue;
    table.rows_.push_back(std::move(row));
    table.allowed_.push_back(allowed == 0                           ? Allowed::kNone
                             : allowed == candidates[second].size() ? Allowed::kAll
                                                                    : Allowed::kSome);
  }
  return table;
}

}  // namespace tune
