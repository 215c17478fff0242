// Small arithmetic on quasi-affine functions of statement instances, { S -> [v] }.
#pragma once

#include <cstdint>
#include <string>

#include "common/isl/functions.h"
#include "common/isl/isl.h"
#include "common/isl/tuple_name.h"

namespace tune {

// floor(value / divisor)
inline isl::union_pw_aff FloorDiv(const isl::union_pw_aff& value, int64_t divisor) {
  const isl::val size(value.ctx(), static_cast<long>(divisor));
  return Floor(ScaleDown(value, size));
}

// value mod divisor, in [0, divisor)
inline isl::union_pw_aff Modulo(const isl::union_pw_aff& value, int64_t divisor) {
  const isl::val size(value.ctx(), static_cast<long>(divisor));
  return Modulo(value, size);
}

// The instances at which `value` equals the parameter: { S : value(S) = parameter }.
inline isl::union_set WhereEqual(const isl::union_pw_aff& value, const std::string& parameter) {
  const isl::id id = NamedId(value.ctx(), parameter);
  isl::union_set equal = isl::union_set::empty(value.ctx());
  const isl::pw_aff_list functions = PwAffList(value);
  for (unsigned i = 0; i < functions.size(); ++i) {
    // One affine piece at a time: isl's difference of functions with domains simplifies each by its domain.
    functions.at(i).foreach_piece([&](const isl::set& domain, const isl::multi_aff& piece) {
      const isl::set everywhere = isl::set::universe(domain.space());
      const isl::pw_aff wanted = isl::pw_aff::param_on_domain(everywhere, id);
      const isl::pw_aff difference = isl::pw_aff(piece.at(0)).sub(wanted);
      const isl::set here = ZeroSet(difference);
      equal = equal.unite(isl::union_set(here.intersect(domain)));
    });
  }
  return equal;
}

// value - factor * parameter
inline isl::union_pw_aff MinusMultiple(const isl::union_pw_aff& value, int64_t factor,
                                       const std::string& parameter) {
  const isl::id id = NamedId(value.ctx(), parameter);
  const isl::union_pw_aff origin = ParameterOn(value.domain().universe(), id);
  const isl::val scale = isl::val(value.ctx(), factor);
  return value.sub(Scale(origin, scale));
}

}  // namespace tune
