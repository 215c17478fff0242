// Small arithmetic on quasi-affine functions of statement instances, { S -> [v] }.
#pragma once

#include <cstdint>
#include <string>

#include "common/isl/isl.h"

namespace tune {

// floor(value / divisor)
inline isl::union_pw_aff FloorDiv(const isl::union_pw_aff& value, int64_t divisor) {
  const isl::val size(value.ctx(), static_cast<long>(divisor));
  return isl::manage(isl_union_pw_aff_floor(isl_union_pw_aff_scale_down_val(value.copy(), size.copy())));
}

// value mod divisor, in [0, divisor)
inline isl::union_pw_aff Modulo(const isl::union_pw_aff& value, int64_t divisor) {
  const isl::val size(value.ctx(), static_cast<long>(divisor));
  return isl::manage(isl_union_pw_aff_mod_val(value.copy(), size.copy()));
}

// The instances at which `value` equals the parameter: { S : value(S) = parameter }.
inline isl::union_set WhereEqual(const isl::union_pw_aff& value, const std::string& parameter) {
  isl_id* const id = isl_id_alloc(value.ctx().get(), parameter.c_str(), nullptr);
  isl_union_pw_aff* const wanted = isl_union_pw_aff_param_on_domain_id(value.domain().release(), id);
  return isl::manage(isl_union_pw_aff_zero_union_set(isl_union_pw_aff_sub(value.copy(), wanted)));
}

inline isl::union_map MapOf(const isl::union_pw_aff& function) {
  return isl::manage(isl_union_map_from_union_pw_aff(function.copy()));
}

}  // namespace tune
