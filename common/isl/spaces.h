// Spaces that isl's C++ interface cannot make or compare. Every function throws isl::exception.
#pragma once

#include "common/isl/checked.h"

namespace tune {

// { : }, of parameters without names.
inline isl::space ParameterSpace(isl::ctx ctx, int parameters) {
  return isl::manage(isl_space_params_alloc(ctx.get(), parameters));
}

// { [i...] }, without names.
inline isl::space SetSpace(isl::ctx ctx, int parameters, int dimensions) {
  return isl::manage(isl_space_set_alloc(ctx.get(), parameters, dimensions));
}

// { [] } with the parameters of `space`.
inline isl::space SetSpaceFromParameters(isl::space space) {
  return isl::manage(isl_space_set_from_params(space.release()));
}

inline isl::space DomainSpace(const isl::pw_aff& value) {
  return isl::manage(isl_pw_aff_get_domain_space(value.get()));
}

// Whether it is of parameters alone.
inline bool IsParameterDomain(const isl::set& set) {
  return Checked(isl_set_is_params(set.get()), set.ctx());
}
inline bool IsParameterDomain(const isl::space& space) {
  return Checked(isl_space_is_params(space.get()), space.ctx());
}

inline bool HasEqualSpace(const isl::set& left, const isl::set& right) {
  return Checked(isl_set_has_equal_space(left.get(), right.get()), left.ctx());
}

}  // namespace tune
