#include "common/transform/split_sums/sum_terms.h"

#include <algorithm>

namespace tune {
namespace {

void CollectTerms(const v1::Expression& value, std::vector<v1::Expression>* terms) {
  if (value.operation().op() != "+" || value.operation().operands_size() < 2) return terms->push_back(value);
  for (const v1::Expression& operand : value.operation().operands()) CollectTerms(operand, terms);
}

}  // namespace

std::vector<v1::Expression> TermsOf(const v1::Expression& value) {
  std::vector<v1::Expression> terms;
  CollectTerms(value, &terms);
  const auto same = [&](const v1::Expression& term) { return term.c_type() == value.c_type(); };
  if (terms.size() == 1 || !std::all_of(terms.begin(), terms.end(), same)) return {value};
  return terms;
}

}  // namespace tune
