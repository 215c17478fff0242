#include "common/schedule/single_instances.h"

#include <vector>

#include "common/isl/dimensions.h"
#include "common/isl/functions.h"
#include "common/isl/schedule.h"
#include "common/isl/schedule_node.h"
#include "common/isl/tuple_name.h"
#include "common/schedule/legality.h"

namespace tune {
namespace {

constexpr int kDeep = 3;

bool IsSingle(const isl::set& instances) { return Dimensions(instances, isl_dim_set) == 0; }

// { S }: the single ones in a band that is around a deep statement, too.
std::vector<isl::union_set> SinglesInDeepLoops(const isl::schedule& schedule) {
  std::vector<isl::union_set> singles;
  schedule.root().foreach_descendant_top_down([&](const isl::schedule_node& node) {
    if (!node.isa<isl::schedule_node_band>()) return true;
    std::vector<isl::union_set> here;
    bool deep = false;
    NodeDomain(node).foreach_set([&](const isl::set& instances) {
      deep = deep || Dimensions(instances, isl_dim_set) >= kDeep;
      if (IsSingle(instances)) here.push_back(isl::union_set(instances));
    });
    if (deep) singles.insert(singles.end(), here.begin(), here.end());
    return false;
  });
  return singles;
}

// The constant of the deepest statement's function; zero where it has none, or is no affine one.
isl::val ShiftOf(const isl::union_pw_aff& member) {
  isl::val shift = isl::val::zero(member.ctx());
  int deepest = -1;
  const isl::pw_aff_list functions = PwAffList(member);
  for (unsigned i = 0; i < functions.size(); ++i) {
    const isl::pw_aff function = functions.at(static_cast<int>(i));
    const int depth = Dimensions(function.domain(), isl_dim_set);
    if (depth <= deepest) continue;
    deepest = depth;
    shift = isl::val::zero(member.ctx());
    function.foreach_piece([&](const isl::set&, const isl::multi_aff& piece) {
      const isl::val constant = piece.at(0).constant_val();
      if (PieceCount(function) == 1 && constant.is_int()) shift = constant;
    });
  }
  return shift;
}

// The scheduler has moved the loops so that the statement came last: they begin where they did before, since
// tiles are aligned to 0.
isl::schedule_node WithoutShift(const isl::schedule_node& node) {
  if (!node.isa<isl::schedule_node_band>()) return node;
  const auto band = node.as<isl::schedule_node_band>();
  const int count = static_cast<int>(band.n_member());
  isl::multi_union_pw_aff members = band.partial_schedule();
  for (int m = 0; m < count; ++m) {
    const isl::val shift = ShiftOf(members.at(m));
    if (!shift.is_zero())
      members = members.set_at(m, members.at(m).sub(ConstantOn(members.at(m).domain(), shift)));
  }
  return InsertBandLike(band, members, WithoutNode(band));
}

isl::schedule WithBehind(const isl::schedule& schedule, const isl::union_set& single) {
  const isl::schedule others = IntersectDomain(schedule, schedule.domain().subtract(single));
  return ScheduleSequence(others.root().map_descendant_bottom_up(WithoutShift).schedule(),
                          isl::schedule::from_domain(single));
}

}  // namespace

absl::StatusOr<isl::schedule> SingleInstancesBehind(IslContext& context, isl::schedule schedule,
                                                    const ParsedScop& scop, const Dependences& dependences) {
  std::vector<isl::union_set> singles;
  const auto find = [&]() -> absl::Status {
    singles = SinglesInDeepLoops(schedule);
    return absl::OkStatus();
  };
  TUNE_RETURN_IF_ERROR(context.Run("looking for statements that run once", find));
  for (const isl::union_set& single : singles) {
    TUNE_ASSIGN_OR_RETURN(const isl::schedule behind, context.Run("putting a statement behind loops",
                                                                  [&]() -> absl::StatusOr<isl::schedule> {
                                                                    return WithBehind(schedule, single);
                                                                  }));
    const absl::Status legal = CheckLegal(context, behind, scop, dependences);
    if (legal.ok()) {
      schedule = behind;
    } else if (!absl::IsFailedPrecondition(legal)) {
      return legal;
    }
  }
  return schedule;
}

}  // namespace tune
