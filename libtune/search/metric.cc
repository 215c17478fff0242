#include "libtune/search/metric.h"

#include <cmath>

namespace libtune {

double Metric::At(const Values& values, const Inputs& inputs) const {
  if (function_ != nullptr) return function_(user_, values.data(), inputs.data());
  double sum = 0;
  for (const Term& term : terms_) {
    double product = term.coefficient;
    for (const Factor& factor : term.factors) {
      const double base = factor.is_input ? static_cast<double>(inputs[factor.index]) : values[factor.index];
      product *= std::pow(base, factor.exponent);
    }
    sum += product;
  }
  return sum;
}

Status Metric::Check(int parameters, int inputs) const {
  for (const Term& term : terms_) {
    for (const Factor& factor : term.factors) {
      const int count = factor.is_input ? inputs : parameters;
      if (factor.index < 0 || factor.index >= count) {
        return Invalid("a rule's polynomial has the " + std::string(factor.is_input ? "input" : "parameter") +
                       " of index " + std::to_string(factor.index) + ", of " + std::to_string(count));
      }
      if (factor.exponent < 1) {
        return Invalid("a rule's polynomial has the exponent " + std::to_string(factor.exponent) +
                       "; at least 1 is accepted");
      }
    }
  }
  return {};
}

}  // namespace libtune
