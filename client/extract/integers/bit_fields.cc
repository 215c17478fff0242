#include "client/extract/integers/bit_fields.h"

namespace tune {

std::optional<isl::pw_aff> Masked(const isl::pw_aff& value, isl::val mask) {
  const isl::val one(mask.ctx(), 1L), two(mask.ctx(), 2L);
  if (mask.is_neg()) {  // all but those of its complement
    const std::optional<isl::pw_aff> others = Masked(value, mask.neg().sub(one));
    return others ? std::optional(value.sub(*others)) : std::nullopt;
  }
  isl::pw_aff bits = value.sub(value);
  isl::val scale = one;
  for (int groups = 0; mask.is_pos(); ++groups) {
    if (groups == kMostBitFields) return std::nullopt;
    for (; mask.mod(two).is_zero(); mask = mask.div(two)) scale = scale.mul(two);
    isl::val size = one;
    for (; mask.mod(two).is_one(); mask = mask.sub(one).div(two)) size = size.mul(two);
    bits = bits.add(value.scale_down(scale).floor().mod(size).scale(scale));
    scale = scale.mul(size);
  }
  return bits;
}

}  // namespace tune
