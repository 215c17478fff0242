// When a statement runs in a serial loop, in the usual case.
#pragma once

#include <optional>

#include "common/isl/isl.h"

namespace tune {

// t(x) = sign x_iterator + rest, where the rest has no iterators.
struct LoopTime {
  int iterator = 0;
  int sign = 1;
  isl::aff rest;  // { S[x] -> [rest] }
};

// Of { S[x] -> [t] }; nothing for a time of another form. Throws isl::exception.
std::optional<LoopTime> LoopTimeOf(const isl::pw_aff& time);

}  // namespace tune
