#include "common/transform/blocked_loops/loop_time.h"

#include "common/isl/dimensions.h"
#include "common/isl/functions.h"

namespace tune {

std::optional<LoopTime> LoopTimeOf(const isl::pw_aff& time) {
  if (!time.isa_aff()) return std::nullopt;
  const isl::aff value = time.as_aff();
  if (HasDivs(value)) return std::nullopt;
  LoopTime form;
  int iterators = 0;
  for (int i = 0; i < Dimensions(value, isl_dim_in); ++i) {
    const int sign = CoefficientSign(value, isl_dim_in, i);
    if (sign == 0) continue;
    if (!Coefficient(value, isl_dim_in, i).abs().is_one()) return std::nullopt;
    ++iterators;
    form.iterator = i;
    form.sign = sign;
  }
  if (iterators != 1) return std::nullopt;
  form.rest = WithCoefficient(value, isl_dim_in, form.iterator, 0);
  return form;
}

}  // namespace tune
