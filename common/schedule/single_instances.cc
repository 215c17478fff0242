#include "common/schedule/single_instances.h"

#include <vector>

#include "common/isl/bounds.h"
#include "common/isl/dimensions.h"
#include "common/isl/functions.h"
#include "common/isl/schedule.h"
#include "common/isl/schedule_node.h"
#include "common/isl/tuple_name.h"
#include "common/schedule/legality.h"
#include "common/schedule/member_shift.h"

namespace tune {
namespace {

constexpr int kDeep = 3;

// Whether the function has one value for all instances.
bool IsFixed(const isl::pw_aff& time) {
  return !Involves(time, isl_dim_in, 0, Dimensions(time.domain(), isl_dim_set));
}

// The statements of a band that are in one iteration of one of its parallel loops, { S }: those of which a
// coincident member says the same for all instances and, of a statement in more loops, not.
isl::union_set FixedIn(const isl::schedule_node_band& band) {
  isl::union_set fixed = isl::union_set::empty(band.ctx());
  for (int m = 0; m < static_cast<int>(band.n_member()); ++m) {
    if (!band.member_get_coincident(m)) continue;
    isl::union_set here = isl::union_set::empty(band.ctx());
    bool moves = false;
    const isl::pw_aff_list times = PwAffList(band.partial_schedule().at(m));
    times.foreach ([&](const isl::pw_aff& time) {
      if (IsFixed(time)) here = here.unite(isl::union_set(time.domain()));
      moves = moves || (!IsFixed(time) && Dimensions(time.domain(), isl_dim_set) >= kDeep);
    });
    if (moves) fixed = fixed.unite(here);
  }
  return fixed;
}

// { S }, one statement each: those of a band that is around a deep statement, too.
std::vector<isl::union_set> SinglesInDeepLoops(const isl::schedule& schedule) {
  std::vector<isl::union_set> singles;
  schedule.root().foreach_descendant_top_down([&](const isl::schedule_node& node) {
    if (!node.isa<isl::schedule_node_band>()) return true;
    const isl::union_set fixed = FixedIn(node.as<isl::schedule_node_band>());
    std::vector<isl::union_set> here;
    bool deep = false;
    NodeDomain(node).foreach_set([&](const isl::set& instances) {
      const isl::union_set statement(instances);
      deep = deep || Dimensions(instances, isl_dim_set) >= kDeep;
      if (Dimensions(instances, isl_dim_set) == 0 || !fixed.intersect(statement).is_empty())
        here.push_back(statement);
    });
    if (deep) singles.insert(singles.end(), here.begin(), here.end());
    return false;
  });
  return singles;
}

// The statement's loops, none around a single instance.
isl::schedule Alone(const isl::schedule& schedule, const isl::union_set& statement) {
  bool loops = false;
  statement.foreach_set(
      [&](const isl::set& instances) { loops = loops || Dimensions(instances, isl_dim_set) > 0; });
  return loops ? IntersectDomain(schedule, statement) : isl::schedule::from_domain(statement);
}

// The scheduler may have moved the loops so that the statement came last.
isl::schedule WithBehind(const isl::schedule& schedule, const isl::union_set& single) {
  const isl::schedule others = IntersectDomain(schedule, schedule.domain().subtract(single));
  return ScheduleSequence(WithoutShifts(others), Alone(schedule, single));
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
