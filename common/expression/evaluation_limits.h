// What an expression may ask for before it is refused.
#pragma once

#include <cstdint>

namespace tune {

struct EvaluationLimits {
  int64_t steps = 1'000'000;      // nodes that are evaluated, values that are looked at
  int64_t list_length = 100'000;  // values of one list
  int64_t string_length = 4'096;  // bytes of one string
};

}  // namespace tune
