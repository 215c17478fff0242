#include "worker/ptx/value_graph.h"

namespace tune {
namespace {

constexpr size_t kMostTerms = 16;

}  // namespace

std::optional<LinearForm> Sum(const LinearForm& a, const LinearForm& b, int64_t factor) {
  LinearForm sum;
  int64_t scaled = 0;
  if (__builtin_mul_overflow(b.constant, factor, &scaled) ||
      __builtin_add_overflow(a.constant, scaled, &sum.constant))
    return std::nullopt;
  auto left = a.terms.begin(), right = b.terms.begin();
  while (left != a.terms.end() || right != b.terms.end()) {
    const bool takes_left = right == b.terms.end() || (left != a.terms.end() && left->first <= right->first);
    const bool takes_right = left == a.terms.end() || (right != b.terms.end() && right->first <= left->first);
    const int symbol = takes_left ? left->first : right->first;
    int64_t coefficient = takes_left ? (left++)->second : 0;
    if (takes_right && (__builtin_mul_overflow((right++)->second, factor, &scaled) ||
                        __builtin_add_overflow(coefficient, scaled, &coefficient)))
      return std::nullopt;
    if (coefficient != 0) sum.terms.emplace_back(symbol, coefficient);
  }
  if (sum.terms.size() > kMostTerms) return std::nullopt;
  return sum;
}

uint8_t ValueGraph::Depends(const LinearForm& form) const {
  uint8_t depends = 0;
  for (const auto& [symbol, coefficient] : form.terms) depends |= symbols[symbol].depends;
  return depends;
}

uint32_t ValueGraph::Varies(const LinearForm& form) const {
  uint32_t varies = 0;
  for (const auto& [symbol, coefficient] : form.terms) varies |= symbols[symbol].varies;
  return varies;
}

}  // namespace tune
