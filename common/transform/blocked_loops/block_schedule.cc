#include "common/transform/blocked_loops/block_schedule.h"

#include <algorithm>

#include "common/isl/functions.h"
#include "common/isl/schedule.h"
#include "common/schedule/group_scheduler.h"
#include "common/schedule/statement_graph.h"

namespace tune {
namespace {

// { S[b, x] -> [b] }
ScheduleRow BlockNumbers(const ParsedScop& scop, const std::vector<std::string>& statements) {
  ScheduleRow row;
  for (const std::string& name : statements)
    row.times.emplace(name, isl::pw_aff(VariableOn(scop.statement(name).domain.space(), 0)));
  return row;
}

bool IsParallel(const isl::schedule& schedule) { return ParallelMembers(schedule) > 0; }

// Whether the statement makes of what its element was another value.
bool Updates(const ParsedStatement& statement) {
  if (statement.proto->update() != v1::NONE) return true;
  return std::any_of(statement.accesses.begin(), statement.accesses.end(), [&](const ParsedAccess& access) {
    return access.reads() && access.relation.is_equal(statement.target().relation);
  });
}

// Of one statement that updates elements in a loop inside of parallel ones.
bool IsSum(const std::vector<std::string>& component, const ParsedScop& scop, const isl::schedule& schedule,
           const isl::union_map& dependences) {
  if (component.size() != 1 || !Updates(scop.statement(component[0]))) return false;
  return IsParallel(schedule) && !dependences.is_empty();
}

}  // namespace

absl::StatusOr<std::optional<BlockSchedule>> ScheduleBlocks(IslContext& context, const ParsedScop& scop,
                                                            const Dependences& dependences,
                                                            const std::vector<std::string>& statements,
                                                            const std::set<std::string>& bounded) {
  return context.Run("scheduling blocks of a loop", [&]() -> absl::StatusOr<std::optional<BlockSchedule>> {
    const ScheduleRow numbers = BlockNumbers(scop, statements);
    const StatementGroup inside =
        StatementGroup::Whole(context, scop, dependences).Part(statements).Below(numbers);
    const StatementGraph graph(inside.statements(), inside.dependences());
    isl::schedule whole;
    bool has_sum = false, all_bounded = true;
    for (const size_t index : graph.Order()) {
      const std::vector<std::string>& component = graph.components()[index];
      const StatementGroup group = inside.Part(component);
      const absl::StatusOr<isl::schedule> part =
          ScheduleStatementGroup(context, scop, group, GroupFusion::kByScheduler, /*refined=*/false);
      if (!part.ok()) return std::nullopt;
      has_sum = has_sum || IsSum(component, scop, *part, group.dependences());
      const auto is_bounded = [&](const std::string& name) { return bounded.count(name) > 0; };
      all_bounded =
          all_bounded && (IsParallel(*part) || std::all_of(component.begin(), component.end(), is_bounded));
      whole = whole.is_null() ? *part : ScheduleSequence(whole, *part);
    }
    const isl::multi_union_pw_aff loop(numbers.Member());
    return BlockSchedule{InsertPartialSchedule(whole, loop), has_sum && all_bounded};
  });
}

}  // namespace tune
