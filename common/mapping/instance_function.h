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
  const isl::id id = isl::manage(isl_id_alloc(value.ctx().get(), parameter.c_str(), nullptr));
  isl::union_set equal = isl::union_set::empty(value.ctx());
  const isl::pw_aff_list functions = isl::manage(isl_union_pw_aff_get_pw_aff_list(value.get()));
  for (unsigned i = 0; i < functions.size(); ++i) {
    // One affine piece at a time: isl's difference of functions with domains simplifies each by its domain.
    functions.at(i).foreach_piece([&](const isl::set& domain, const isl::multi_aff& piece) {
      isl_set* const everywhere = isl_set_universe(isl_set_get_space(domain.get()));
      isl_pw_aff* const wanted = isl_pw_aff_param_on_domain_id(everywhere, id.copy());
      isl_pw_aff* const difference = isl_pw_aff_sub(isl_pw_aff_from_aff(piece.at(0).release()), wanted);
      const isl::set here = isl::manage(isl_pw_aff_zero_set(difference));
      equal = equal.unite(isl::union_set(here.intersect(domain)));
    });
  }
  return equal;
}

// value - factor * parameter
inline isl::union_pw_aff MinusMultiple(const isl::union_pw_aff& value, int64_t factor,
                                       const std::string& parameter) {
  isl_id* const id = isl_id_alloc(value.ctx().get(), parameter.c_str(), nullptr);
  isl_union_pw_aff* const origin =
      isl_union_pw_aff_param_on_domain_id(value.domain().universe().release(), id);
  isl_val* const scale = isl_val_int_from_si(value.ctx().get(), static_cast<long>(factor));
  return isl::manage(isl_union_pw_aff_sub(value.copy(), isl_union_pw_aff_scale_val(origin, scale)));
}

}  // namespace tune
