#include "common/schedule/member_shift.h"

#include <optional>

#include "common/isl/dimensions.h"
#include "common/isl/functions.h"
#include "common/isl/schedule_node.h"

namespace tune {
namespace {

// The constant of an affine function; nothing of others.
std::optional<isl::val> ConstantOf(const isl::pw_aff& function) {
  std::optional<isl::val> constant;
  if (PieceCount(function) != 1) return constant;
  function.foreach_piece([&](const isl::set&, const isl::multi_aff& piece) {
    const isl::val found = piece.at(0).constant_val();
    if (found.is_int()) constant = found;
  });
  return constant;
}

// Zero where the deepest statements have none, or different ones.
isl::val ShiftOf(const isl::union_pw_aff& member) {
  const isl::val zero = isl::val::zero(member.ctx());
  std::optional<isl::val> shift;
  bool same = true;
  int deepest = -1;
  const isl::pw_aff_list functions = PwAffList(member);
  for (unsigned i = 0; i < functions.size(); ++i) {
    const isl::pw_aff function = functions.at(static_cast<int>(i));
    const int depth = Dimensions(function.domain(), isl_dim_set);
    if (depth < deepest) continue;
    const std::optional<isl::val> constant = ConstantOf(function);
    same = constant && (depth > deepest || (same && shift && constant->eq(*shift)));
    shift = constant;
    deepest = depth;
  }
  return same && shift ? *shift : zero;
}

isl::schedule_node WithoutShift(const isl::schedule_node& node) {
  if (!node.isa<isl::schedule_node_band>()) return node;
  const auto band = node.as<isl::schedule_node_band>();
  isl::multi_union_pw_aff members = band.partial_schedule();
  bool moved = false;
  for (int m = 0; m < static_cast<int>(band.n_member()); ++m) {
    const isl::val shift = ShiftOf(members.at(m));
    if (shift.is_zero()) continue;
    members = members.set_at(m, members.at(m).sub(ConstantOn(members.at(m).domain(), shift)));
    moved = true;
  }
  return moved ? InsertBandLike(band, members, WithoutNode(band)) : node;
}

}  // namespace

isl::schedule WithoutShifts(const isl::schedule& schedule) {
  return schedule.root().map_descendant_bottom_up(WithoutShift).schedule();
}

}  // namespace tune
