#include "common/parameters/commuted_chain.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace tune {
namespace {

using Kind = ExpressionNode::Kind;

bool IsChain(const ExpressionNode& node) {
  return node.kind == Kind::kBinary &&
         (node.binary == BinaryOperator::kMultiply || node.binary == BinaryOperator::kAdd);
}

class ChainSorter {
 public:
  ChainSorter(absl::Span<const TuningParameter> parameters, absl::Span<const int> level)
      : parameters_(parameters), level_(level) {}

  void Sort(ExpressionNode* node) const {
    if (!IsChain(*node)) {
      for (ExpressionNode& operand : node->operands) Sort(&operand);
      return;
    }
    std::vector<const ExpressionNode*> terms;
    CollectTerms(*node, node->binary, &terms);
    constexpr double kMost = 4e18;  // below 2^62
    double bound = node->binary == BinaryOperator::kAdd ? 0 : 1;
    for (const ExpressionNode* term : terms) {
      const double magnitude = Magnitude(*term);
      if (node->binary == BinaryOperator::kAdd) {
        bound += magnitude;
      } else {
        bound *= std::max(magnitude, 1.0);
      }
    }
    if (bound > kMost) {
      for (ExpressionNode& operand : node->operands) Sort(&operand);
      return;
    }
    std::stable_sort(terms.begin(), terms.end(), [&](const ExpressionNode* a, const ExpressionNode* b) {
      return LastLevel(*a) < LastLevel(*b);
    });
    *node = Chained(*node, terms);
  }

 private:
  static void CollectTerms(const ExpressionNode& node, BinaryOperator op,
                           std::vector<const ExpressionNode*>* terms) {
    if (!IsChain(node) || node.binary != op) return terms->push_back(&node);
    for (const ExpressionNode& operand : node.operands) CollectTerms(operand, op, terms);
  }

  // The largest absolute value that it can have; infinite where it may be anything but a whole number.
  double Magnitude(const ExpressionNode& node) const {
    switch (node.kind) {
      case Kind::kLiteral:
        return Magnitude(node.literal);
      case Kind::kName: {
        double most = 0;
        for (const Value& value : parameters_[node.slot].values) most = std::max(most, Magnitude(value));
        return most;
      }
      case Kind::kBinary:
        if (node.binary == BinaryOperator::kMultiply)
          return std::max(1.0, Magnitude(node.operands[0])) * std::max(1.0, Magnitude(node.operands[1]));
        if (node.binary == BinaryOperator::kAdd || node.binary == BinaryOperator::kSubtract)
          return Magnitude(node.operands[0]) + Magnitude(node.operands[1]);
        return HUGE_VAL;
      default:
        return HUGE_VAL;
    }
  }
  static double Magnitude(const Value& value) {
    return value.IsWhole() ? std::fabs(value.AsDouble()) : HUGE_VAL;
  }

  int LastLevel(const ExpressionNode& node) const {
    int last = node.kind == Kind::kName ? level_[node.slot] : -1;
    for (const ExpressionNode& operand : node.operands) last = std::max(last, LastLevel(operand));
    return last;
  }

  ExpressionNode Chained(const ExpressionNode& like, const std::vector<const ExpressionNode*>& terms) const {
    ExpressionNode chain = *terms[0];
    Sort(&chain);
    for (size_t i = 1; i < terms.size(); ++i) {
      ExpressionNode next;
      next.kind = Kind::kBinary;
      next.binary = like.binary;
      next.column = like.column;
      next.operands.push_back(std::move(chain));
      next.operands.push_back(*terms[i]);
      Sort(&next.operands[1]);
      chain = std::move(next);
    }
    return chain;
  }

  absl::Span<const TuningParameter> parameters_;
  absl::Span<const int> level_;
};

}  // namespace

void CommuteChains(absl::Span<const TuningParameter> parameters, absl::Span<const int> level,
                   ExpressionNode* node) {
  ChainSorter(parameters, level).Sort(node);
}

}  // namespace tune
