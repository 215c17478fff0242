#include "common/program/index_expression.h"

#include <algorithm>
#include <utility>

namespace tune {

IndexExpression IndexExpression::Constant(int64_t value) { return {Op::kConstant, value, "", {}}; }

IndexExpression IndexExpression::Name(std::string name) { return {Op::kName, 0, std::move(name), {}}; }

IndexExpression IndexExpression::Of(Op op, std::vector<IndexExpression> operands) {
  return {op, 0, "", std::move(operands)};
}

IndexExpression operator+(IndexExpression left, IndexExpression right) {
  return IndexExpression::Of(IndexExpression::Op::kAdd, {std::move(left), std::move(right)});
}

IndexExpression operator-(IndexExpression left, IndexExpression right) {
  return IndexExpression::Of(IndexExpression::Op::kSubtract, {std::move(left), std::move(right)});
}

IndexExpression operator*(IndexExpression left, IndexExpression right) {
  return IndexExpression::Of(IndexExpression::Op::kMultiply, {std::move(left), std::move(right)});
}

bool Mentions(const IndexExpression& expression, const std::string& name) {
  return expression.IsName(name) ||
         std::any_of(expression.operands.begin(), expression.operands.end(),
                     [&](const IndexExpression& operand) { return Mentions(operand, name); });
}

void CollectNames(const IndexExpression& expression, std::set<std::string>* names) {
  if (expression.op == IndexExpression::Op::kName) names->insert(expression.name);
  for (const IndexExpression& operand : expression.operands) CollectNames(operand, names);
}

IndexExpression Replace(const IndexExpression& expression, const std::string& name,
                        const IndexExpression& value) {
  if (expression.IsName(name)) return value;
  IndexExpression replaced = expression;
  for (IndexExpression& operand : replaced.operands) operand = Replace(operand, name, value);
  return replaced;
}

namespace {

// A sum without the zeros in it.
IndexExpression WithoutZeros(IndexExpression sum) {
  std::vector<IndexExpression> rest;
  for (IndexExpression& operand : sum.operands) {
    if (operand != IndexExpression::Constant(0)) rest.push_back(std::move(operand));
  }
  if (rest.size() == 1) return std::move(rest[0]);
  sum.operands = std::move(rest);
  return sum;
}

// A sum as a number and how often each term is in it.
struct Terms {
  int64_t constant = 0;
  std::vector<std::pair<IndexExpression, int64_t>> counts;

  void Add(const IndexExpression& expression, int64_t sign) {
    switch (expression.op) {
      case IndexExpression::Op::kConstant:
        constant += sign * expression.value;
        return;
      case IndexExpression::Op::kNegate:
        return Add(expression.operands[0], -sign);
      case IndexExpression::Op::kAdd:
      case IndexExpression::Op::kSubtract:
        for (size_t i = 0; i < expression.operands.size(); ++i) {
          const bool minus = i > 0 && expression.op == IndexExpression::Op::kSubtract;
          Add(expression.operands[i], minus ? -sign : sign);
        }
        return;
      default:
        AddTerm(expression, sign);
    }
  }

  // All with that sign, each as often as it is there; the number, too, where it has the sign.
  IndexExpression Side(int64_t sign) const {
    std::vector<IndexExpression> parts;
    for (const auto& [term, count] : counts) {
      for (int64_t i = 0; i < sign * count; ++i) parts.push_back(term);
    }
    if (sign * constant > 0 || parts.empty())
      parts.push_back(IndexExpression::Constant(std::max<int64_t>(0, sign * constant)));
    if (parts.size() == 1) return parts[0];
    return IndexExpression::Of(IndexExpression::Op::kAdd, std::move(parts));
  }

 private:
  void AddTerm(const IndexExpression& term, int64_t sign) {
    for (auto& [known, count] : counts) {
      if (known != term) continue;
      count += sign;
      return;
    }
    counts.emplace_back(term, sign);
  }
};

bool IsComparison(IndexExpression::Op op) {
  return op == IndexExpression::Op::kLess || op == IndexExpression::Op::kLessEqual ||
         op == IndexExpression::Op::kGreater || op == IndexExpression::Op::kGreaterEqual ||
         op == IndexExpression::Op::kEqual;
}

// A comparison without the terms that both sides have.
IndexExpression WithoutCommonTerms(IndexExpression comparison) {
  Terms terms;  // of the difference
  terms.Add(comparison.operands[0], 1);
  terms.Add(comparison.operands[1], -1);
  const bool cancelled = std::any_of(terms.counts.begin(), terms.counts.end(),
                                     [](const auto& term) { return term.second == 0; });
  if (!cancelled) return comparison;
  comparison.operands = {terms.Side(1), terms.Side(-1)};
  return Folded(comparison);
}

}  // namespace

IndexExpression Folded(const IndexExpression& expression) {
  if (expression.operands.empty()) return expression;
  IndexExpression folded = expression;
  bool constant = true;
  for (IndexExpression& operand : folded.operands) {
    operand = Folded(operand);
    constant = constant && operand.IsConstant();
  }
  if (!constant && folded.op == IndexExpression::Op::kAdd) return WithoutZeros(std::move(folded));
  if (!constant && IsComparison(folded.op)) return WithoutCommonTerms(std::move(folded));
  if (!constant) return folded;
  return IndexExpression::Constant(Evaluate(folded, [](const std::string&) -> int64_t { return 0; }));
}

int64_t Evaluate(const IndexExpression& expression,
                 const std::function<int64_t(const std::string& name)>& value_of) {
  using Op = IndexExpression::Op;
  if (expression.op == Op::kConstant) return expression.value;
  if (expression.op == Op::kName) return value_of(expression.name);
  const auto operand = [&](size_t i) { return Evaluate(expression.operands[i], value_of); };
  switch (expression.op) {
    case Op::kSelect:
      return operand(0) != 0 ? operand(1) : operand(2);
    case Op::kNegate:
      return -operand(0);
    case Op::kNot:
      return operand(0) == 0;
    case Op::kToIndex:
      return operand(0);
    default:
      break;
  }
  // Operators of two operands or more, from the left. What && and || need not ask for is not evaluated.
  int64_t result = operand(0);
  for (size_t i = 1; i < expression.operands.size(); ++i) {
    if ((expression.op == Op::kAnd && result == 0) || (expression.op == Op::kOr && result != 0)) break;
    const int64_t right = operand(i);
    switch (expression.op) {
      case Op::kAdd:
        result += right;
        break;
      case Op::kSubtract:
        result -= right;
        break;
      case Op::kMultiply:
        result *= right;
        break;
      case Op::kQuotient:
        result /= right;
        break;
      case Op::kRemainder:
        result %= right;
        break;
      case Op::kFloor:
        result = result / right - (result % right < 0 ? 1 : 0);
        break;
      case Op::kMinimum:
        result = std::min(result, right);
        break;
      case Op::kMaximum:
        result = std::max(result, right);
        break;
      case Op::kEqual:
        result = result == right;
        break;
      case Op::kLess:
        result = result < right;
        break;
      case Op::kLessEqual:
        result = result <= right;
        break;
      case Op::kGreater:
        result = result > right;
        break;
      case Op::kGreaterEqual:
        result = result >= right;
        break;
      default:  // kAnd, kOr
        result = right != 0;
        break;
    }
  }
  return expression.op == Op::kAnd || expression.op == Op::kOr ? result != 0 : result;
}

}  // namespace tune
