#include "common/isl/constraint.h"

namespace tune {
namespace {

std::vector<Constraint> TakeAll(isl_constraint_list* owned, isl::ctx ctx) {
  const std::unique_ptr<isl_constraint_list, decltype(&isl_constraint_list_free)> list(
      owned, &isl_constraint_list_free);
  const isl_size count = isl_constraint_list_n_constraint(list.get());
  if (count < 0) isl::exception::throw_last_error(ctx);
  std::vector<Constraint> constraints;
  for (isl_size i = 0; i < count; ++i) {
    isl_constraint* constraint = isl_constraint_list_get_constraint(list.get(), i);
    if (constraint == nullptr) isl::exception::throw_last_error(ctx);
    constraints.emplace_back(constraint);
  }
  return constraints;
}

}  // namespace

Constraint::Constraint(isl_constraint* owned) : constraint_(owned) {}

void Constraint::Throw() const {
  isl::exception::throw_last_error(isl::ctx(isl_constraint_get_ctx(constraint_.get())));
  std::abort();  // it has thrown
}

isl::val Constraint::Coefficient(isl_dim_type type, int position) const {
  return isl::manage(isl_constraint_get_coefficient_val(constraint_.get(), type, position));
}

isl::val Constraint::Constant() const {
  return isl::manage(isl_constraint_get_constant_val(constraint_.get()));
}

bool Constraint::IsEquality() const {
  const isl_bool result = isl_constraint_is_equality(constraint_.get());
  if (result == isl_bool_error) Throw();
  return result == isl_bool_true;
}

bool Constraint::HasDivs() const {
  const isl_size divs = isl_constraint_dim(constraint_.get(), isl_dim_div);
  if (divs < 0) Throw();
  const isl_bool result =
      isl_constraint_involves_dims(constraint_.get(), isl_dim_div, 0, static_cast<unsigned>(divs));
  if (result == isl_bool_error) Throw();
  return result == isl_bool_true;
}

isl::aff Constraint::Form() const { return isl::manage(isl_constraint_get_aff(constraint_.get())); }

Constraint Constraint::WithCoefficient(isl_dim_type type, int position, int coefficient) const {
  isl_constraint* changed = isl_constraint_set_coefficient_si(Copy(), type, position, coefficient);
  if (changed == nullptr) Throw();
  return Constraint(changed);
}

Constraint Constraint::WithConstant(int constant) const {
  isl_constraint* changed = isl_constraint_set_constant_si(Copy(), constant);
  if (changed == nullptr) Throw();
  return Constraint(changed);
}

isl::basic_map Constraint::Of(const isl::basic_map& map) const {
  return isl::manage(isl_basic_map_add_constraint(map.copy(), Copy()));
}

std::vector<Constraint> ConstraintsOf(const isl::basic_set& set) {
  return TakeAll(isl_basic_set_get_constraint_list(set.get()), set.ctx());
}

std::vector<Constraint> ConstraintsOf(const isl::basic_map& map) {
  return TakeAll(isl_basic_map_get_constraint_list(map.get()), map.ctx());
}

}  // namespace tune
