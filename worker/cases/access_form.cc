#include "worker/cases/access_form.h"

#include "common/isl/bounds.h"
#include "common/isl/dimensions.h"
#include "common/isl/functions.h"
#include "common/isl/relations.h"

namespace tune {
namespace {

// The only piece, without divisions and fractions.
std::optional<isl::aff> OnlyForm(const isl::pw_aff& value) {
  std::optional<isl::aff> form;
  if (PieceCount(value) != 1) return form;
  value.foreach_piece([&](const isl::set&, const isl::multi_aff& piece) {
    const isl::aff only = piece.at(0);
    if (!HasDivs(only) && Denominator(only).is_one()) form = only;
  });
  return form;
}

}  // namespace

std::optional<AccessForm> MakeAccessForm(const ParsedAccess& access, const isl::map& schedule) {
  const isl::map relation = schedule.reverse().apply_range(access.relation);  // T -> A
  if (!relation.is_single_valued()) return std::nullopt;
  const isl::pw_multi_aff function = relation.as_pw_multi_aff();
  AccessForm form = {access.array, {}};
  for (int i = 0; i < Dimensions(function, isl_dim_out); ++i) {
    const std::optional<isl::aff> subscript = OnlyForm(function.at(i));
    if (!subscript) return std::nullopt;
    form.subscripts.push_back(*subscript);
  }
  return form;
}

int64_t CoefficientOf(const isl::aff& form, isl_dim_type type, int position) {
  return Coefficient(form, type, position).num_si();
}

int64_t ConstantOf(const isl::aff& form) { return form.constant_val().num_si(); }

bool SameUpToConstants(const AccessForm& left, const AccessForm& right) {
  if (left.subscripts.size() != right.subscripts.size()) return false;
  for (size_t i = 0; i < left.subscripts.size(); ++i) {
    // Of statements at different depths.
    if (Dimensions(left.subscripts[i], isl_dim_in) != Dimensions(right.subscripts[i], isl_dim_in))
      return false;
    const isl::aff difference = left.subscripts[i].sub(right.subscripts[i]);
    for (const isl_dim_type type : {isl_dim_in, isl_dim_param}) {
      const int count = Dimensions(difference, type);
      if (count > 0 && Involves(difference, type, 0, count)) return false;
    }
  }
  return true;
}

}  // namespace tune
