// Affine functions, by pieces or not, as far as isl's C++ interface leaves them out. Every function throws
// isl::exception.
#pragma once

#include "common/isl/checked.h"

namespace tune {

// { D -> [i] }: the dimension at `position`.
inline isl::aff VariableOn(isl::space space, int position) {
  return isl::manage(
      isl_aff_var_on_domain(isl_local_space_from_space(space.release()), isl_dim_set, position));
}

// { D -> [p] }: a parameter.
inline isl::aff ParameterOn(isl::space space, isl::id id) {
  return isl::manage(isl_aff_param_on_domain_space_id(space.release(), id.release()));
}
inline isl::union_pw_aff ParameterOn(isl::union_set domain, isl::id id) {
  return isl::manage(isl_union_pw_aff_param_on_domain_id(domain.release(), id.release()));
}

// { D -> [value] }.
inline isl::aff ConstantOn(isl::space space, isl::val value) {
  return isl::manage(isl_aff_val_on_domain(isl_local_space_from_space(space.release()), value.release()));
}
inline isl::pw_aff ConstantOn(isl::set domain, isl::val value) {
  return isl::manage(isl_pw_aff_val_on_domain(domain.release(), value.release()));
}
inline isl::union_pw_aff ConstantOn(isl::union_set domain, isl::val value) {
  return isl::manage(isl_union_pw_aff_val_on_domain(domain.release(), value.release()));
}

// { }, to add to.
inline isl::union_pw_aff EmptyUnionPwAff(isl::space space) {
  return isl::manage(isl_union_pw_aff_empty(space.release()));
}
inline isl::union_pw_aff EmptyUnionPwAff(isl::ctx ctx) {
  return isl::manage(isl_union_pw_aff_empty_space(isl_space_params_alloc(ctx.get(), 0)));
}

// Of the function; of its form over the common denominator: constant and coefficients.
inline isl::val Coefficient(const isl::aff& value, isl_dim_type type, int position) {
  return isl::manage(isl_aff_get_coefficient_val(value.get(), type, position));
}
inline int CoefficientSign(const isl::aff& value, isl_dim_type type, int position) {
  return isl_aff_coefficient_sgn(value.get(), type, position);
}
inline isl::val Denominator(const isl::aff& value) {
  return isl::manage(isl_aff_get_denominator_val(value.get()));
}

inline isl::aff WithCoefficient(isl::aff value, isl_dim_type type, int position, int number) {
  return isl::manage(isl_aff_set_coefficient_si(value.release(), type, position, number));
}
inline isl::aff WithConstant(isl::aff value, int number) {
  return isl::manage(isl_aff_set_constant_si(value.release(), number));
}

inline isl::union_pw_aff Floor(isl::union_pw_aff value) {
  return isl::manage(isl_union_pw_aff_floor(value.release()));
}

inline isl::union_pw_aff Scale(isl::union_pw_aff value, isl::val number) {
  return isl::manage(isl_union_pw_aff_scale_val(value.release(), number.release()));
}
inline isl::union_pw_aff ScaleDown(isl::union_pw_aff value, isl::val number) {
  return isl::manage(isl_union_pw_aff_scale_down_val(value.release(), number.release()));
}

// { S -> [f(v)] } of { S -> [v] } and f.
inline isl::union_pw_aff Apply(isl::multi_union_pw_aff values, isl::aff function) {
  return isl::manage(isl_multi_union_pw_aff_apply_aff(values.release(), function.release()));
}

// To 0 .. factor - 1.
inline isl::union_pw_aff Modulo(isl::union_pw_aff value, isl::val factor) {
  return isl::manage(isl_union_pw_aff_mod_val(value.release(), factor.release()));
}

inline isl::val MinValue(isl::union_pw_aff value) {
  return isl::manage(isl_union_pw_aff_min_val(value.release()));
}

// The first where the condition holds, else the second.
inline isl::pw_aff Either(const isl::set& condition, const isl::pw_aff& first, const isl::pw_aff& second) {
  return first.intersect_domain(condition).union_add(second.intersect_domain(condition.complement()));
}

// The function without the parameters that it does not depend on.
inline isl::pw_aff DropUnusedParameters(isl::pw_aff value) {
  return isl::manage(isl_pw_aff_drop_unused_params(value.release()));
}
inline bool IsConstant(const isl::pw_aff& value) {
  return Checked(isl_pw_aff_is_cst(value.get()), value.ctx());
}
inline int PieceCount(const isl::pw_aff& value) {
  return Checked(isl_pw_aff_n_piece(value.get()), value.ctx());
}

// One function for each statement.
inline isl::pw_aff_list PwAffList(const isl::union_pw_aff& value) {
  return isl::manage(isl_union_pw_aff_get_pw_aff_list(value.get()));
}

// Where the function is below zero, and where it is zero.
inline isl::basic_set NegativeSet(isl::aff value) {
  return isl::manage(isl_aff_neg_basic_set(value.release()));
}
inline isl::basic_set ZeroSet(isl::aff value) { return isl::manage(isl_aff_zero_basic_set(value.release())); }
inline isl::set ZeroSet(isl::pw_aff value) { return isl::manage(isl_pw_aff_zero_set(value.release())); }

// { [value] }.
inline isl::set SetFromPwAff(isl::pw_aff value) { return isl::manage(isl_set_from_pw_aff(value.release())); }

}  // namespace tune
