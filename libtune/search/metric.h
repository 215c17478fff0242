// Numbers that follow from a configuration and the inputs: operations, elements, reuse.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "libtune/search/parameter_space.h"

namespace libtune {

using Inputs = std::vector<long>;

struct Factor {
  bool is_input;
  int index;
  int exponent;
};

struct Term {
  double coefficient;
  std::vector<Factor> factors;
};

// A polynomial of parameters and inputs, or the user's function of them. Immutable.
class Metric {
 public:
  using Function = double (*)(void* user, const double* values, const long* inputs);

  Metric() = default;  // 0
  explicit Metric(std::vector<Term> terms) : terms_(std::move(terms)) {}
  Metric(Function function, void* user) : function_(function), user_(user) {}

  double At(const Values& values, const Inputs& inputs) const;
  // INVALID_ARGUMENT where a factor names a parameter or an input that does not exist.
  Status Check(int parameters, int inputs) const;

 private:
  std::vector<Term> terms_;
  Function function_ = nullptr;
  void* user_ = nullptr;
};

}  // namespace libtune
