#include "common/transform/split_sums/sum_terms.h"

#include <algorithm>

#include "common/array/element_type.h"

namespace tune {
namespace {

void CollectTerms(const v1::Expression& value, std::vector<v1::Expression>* terms) {
  if (value.operation().op() != "+" || value.operation().operands_size() < 2) return terms->push_back(value);
  for (const v1::Expression& operand : value.operation().operands()) CollectTerms(operand, terms);
}

// Whether terms of the type may be converted to the target's each for itself. Integers wrap: what
// `unsigned + unsigned` leaves modulo 2^32 is another number than a wider or floating target makes of the
// terms, and integers cut each what follows the point. Among floating types only the rounding differs.
bool AddApart(const std::string& type, v1::ElementType target) {
  if (type == "float" || type == "double") return IsFloating(target);
  return type == ElementCType(target);
}

}  // namespace

std::vector<v1::Expression> TermsOf(const v1::Expression& value, v1::ElementType target) {
  if (!AddApart(value.c_type(), target)) return {value};
  std::vector<v1::Expression> terms;
  CollectTerms(value, &terms);
  const auto same = [&](const v1::Expression& term) { return term.c_type() == value.c_type(); };
  if (terms.size() == 1 || !std::all_of(terms.begin(), terms.end(), same)) return {value};
  return terms;
}

}  // namespace tune
