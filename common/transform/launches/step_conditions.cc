#include "common/transform/launches/step_conditions.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace tune {
namespace {

using Op = IndexExpression::Op;

// How often the name stands in a sum, less how often it is subtracted; none: it stands in something else.
std::optional<int64_t> CountIn(const IndexExpression& expression, const std::string& name) {
  if (!Mentions(expression, name)) return 0;
  const bool sum = expression.op == Op::kAdd, difference = expression.op == Op::kSubtract;
  if (expression.op == Op::kName) return 1;
  if (!sum && !difference && expression.op != Op::kNegate) return std::nullopt;
  int64_t count = 0;
  for (size_t i = 0; i < expression.operands.size(); ++i) {
    const std::optional<int64_t> own = CountIn(expression.operands[i], name);
    if (!own) return std::nullopt;
    count += expression.op == Op::kNegate || (difference && i > 0) ? -*own : *own;
  }
  return count;
}

// step <= bound, or step >= bound.
struct StepBound {
  bool upper = false;
  IndexExpression bound;
};

// What the comparison asks of the step; none: it asks nothing, or in another way.
std::optional<StepBound> Solved(const IndexExpression& comparison, const std::string& step) {
  const bool less = comparison.op == Op::kLess || comparison.op == Op::kLessEqual;
  const bool greater = comparison.op == Op::kGreater || comparison.op == Op::kGreaterEqual;
  if (!less && !greater) return std::nullopt;
  const IndexExpression &left = comparison.operands[0], &right = comparison.operands[1];
  const std::optional<int64_t> in_left = CountIn(left, step), in_right = CountIn(right, step);
  if (!in_left || !in_right || std::abs(*in_left - *in_right) != 1) return std::nullopt;
  const bool positive = *in_left > *in_right;
  const IndexExpression zero = IndexExpression::Constant(0);
  const IndexExpression other_left = Folded(Replace(left, step, zero));
  const IndexExpression other_right = Folded(Replace(right, step, zero));
  StepBound solved;
  solved.upper = less == positive;
  solved.bound = positive ? other_right : other_left;
  const IndexExpression& subtracted = positive ? other_left : other_right;
  if (subtracted != zero) solved.bound = solved.bound - subtracted;
  const bool strict = comparison.op == Op::kLess || comparison.op == Op::kGreater;
  if (strict) solved.bound = solved.bound + IndexExpression::Constant(solved.upper ? -1 : 1);
  solved.bound = Folded(solved.bound);
  return solved;
}

void Flatten(const IndexExpression& condition, std::vector<IndexExpression>* parts) {
  if (condition.op != Op::kAnd) return parts->push_back(condition);
  for (const IndexExpression& operand : condition.operands) Flatten(operand, parts);
}

IndexExpression OneOf(Op op, std::vector<IndexExpression> operands) {
  if (operands.size() == 1) return std::move(operands[0]);
  return IndexExpression::Of(op, std::move(operands));
}

IndexExpression SolvedCondition(const IndexExpression& condition, const std::string& step) {
  std::vector<IndexExpression> parts, all, least, most;
  Flatten(condition, &parts);
  for (IndexExpression& part : parts) {
    std::optional<StepBound> solved = Solved(part, step);
    (!solved         ? all
     : solved->upper ? most
                     : least)
        .push_back(solved ? std::move(solved->bound) : std::move(part));
  }
  const IndexExpression name = IndexExpression::Name(step);
  if (!least.empty())
    all.push_back(IndexExpression::Of(Op::kGreaterEqual, {name, OneOf(Op::kMaximum, std::move(least))}));
  if (!most.empty())
    all.push_back(IndexExpression::Of(Op::kLessEqual, {name, OneOf(Op::kMinimum, std::move(most))}));
  return OneOf(Op::kAnd, std::move(all));
}

// Whether conditions in loops of the kernel ask something of the step and of these loops.
bool ComparesItInLoops(const std::string& step, const DeviceKernel& kernel) {
  std::vector<std::string> iterators;
  bool compares = false;
  ForEachNode(kernel.body, [&](const Node& node) {
    if (const auto* const loop = node.As<Loop>()) iterators.push_back(loop->iterator);
    const auto* const branch = node.As<Condition>();
    if (branch == nullptr || !Mentions(branch->condition, step)) return;
    compares |= std::any_of(iterators.begin(), iterators.end(), [&](const std::string& iterator) {
      return Mentions(branch->condition, iterator);
    });
  });
  return compares;
}

}  // namespace

void SolveForStep(const std::string& step, DeviceKernel* kernel) {
  if (ComparesItInLoops(step, *kernel)) return;
  ForEachNode(kernel->body, [&](Node& node) {
    auto* const branch = node.As<Condition>();
    if (branch != nullptr && Mentions(branch->condition, step))
      branch->condition = SolvedCondition(branch->condition, step);
  });
}

}  // namespace tune
