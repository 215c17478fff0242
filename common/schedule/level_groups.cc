#include "common/schedule/level_groups.h"

#include <algorithm>

#include "common/isl/relations.h"
#include "common/isl/schedule.h"

namespace tune {
namespace {

constexpr size_t kMostGroups = 2000;  // kept; each has some kilobytes

RowDirection DirectionOf(const isl::union_map& dependences, const ScheduleRow& row) {
  const isl::multi_union_pw_aff times(row.Member());
  const isl::union_map backward = LexGreaterAt(dependences, times);
  if (!backward.is_empty()) return RowDirection::kBackward;
  const isl::union_map forward = LexLessAt(dependences, times);
  return forward.is_empty() ? RowDirection::kParallel : RowDirection::kForward;
}

}  // namespace

LevelGroup::LevelGroup(StatementGroup group)
    : group_(std::move(group)), graph_(group_.statements(), group_.dependences()) {
  for (const std::vector<std::string>& component : graph_.components())
    complete_.push_back(component.size() == 1 && group_.IsComplete(component.front()));
}

bool LevelGroup::IsComplete() const {
  return std::all_of(complete_.begin(), complete_.end(), [](bool complete) { return complete; });
}

absl::StatusOr<LevelGroup*> LevelGroups::Keep(StatementGroup group) {
  std::unique_ptr<LevelGroup>& level = groups_[group.id()];
  if (level == nullptr) level.reset(new LevelGroup(std::move(group)));
  return level.get();
}

absl::StatusOr<LevelGroup*> LevelGroups::Whole() {
  return context_->Run("grouping statements", [&]() -> absl::StatusOr<LevelGroup*> {
    return Keep(StatementGroup::Whole(*context_, *scop_, *dependences_));
  });
}

absl::StatusOr<LevelGroup*> LevelGroups::Part(const LevelGroup& level,
                                              const std::vector<std::string>& statements) {
  return context_->Run("parting statements", [&]() -> absl::StatusOr<LevelGroup*> {
    const auto known = groups_.find(level.group().PartId(statements));
    if (known != groups_.end()) return known->second.get();
    return Keep(level.group().Part(statements));
  });
}

absl::StatusOr<LevelGroup*> LevelGroups::Below(const LevelGroup& level, const ScheduleRow& row) {
  return context_->Run("descending into a loop",
                       [&]() -> absl::StatusOr<LevelGroup*> { return Keep(level.group().Below(row)); });
}

const absl::StatusOr<isl::schedule>& LevelGroups::Schedule(LevelGroup& level, GroupFusion fusion,
                                                           bool refined) {
  const auto found = level.schedules_.find({fusion, refined});
  if (found != level.schedules_.end()) return found->second;
  auto schedule = ScheduleStatementGroup(*context_, *scop_, level.group(), fusion, refined);
  return level.schedules_.emplace(std::pair(fusion, refined), std::move(schedule)).first->second;
}

absl::StatusOr<isl::schedule> LevelGroups::ScheduleOrOriginal(LevelGroup& level, bool refined) {
  const absl::StatusOr<isl::schedule>& schedule = Schedule(level, GroupFusion::kByScheduler, refined);
  if (!schedule.ok() && !absl::IsInternal(schedule.status())) return schedule;
  return context_->Run("taking the region's order", [&]() -> absl::StatusOr<isl::schedule> {
    const bool needs_loop = level.graph().components().size() == 1 && !level.IsComplete();
    const auto has_loop = [](const isl::schedule& tree) {
      return tree.root().child(0).isa<isl::schedule_node_band>();
    };
    if (schedule.ok() && (!needs_loop || has_loop(*schedule))) return schedule;
    return IntersectDomain(scop_->schedule, level.group().domain());
  });
}

absl::StatusOr<const DependenceDistances*> LevelGroups::Distances(LevelGroup& level) {
  return context_->Run("bounding dependences", [&]() -> absl::StatusOr<const DependenceDistances*> {
    if (level.distances_ == nullptr)
      level.distances_ = std::make_unique<DependenceDistances>(level.group().dependences());
    return level.distances_.get();
  });
}

absl::StatusOr<HyperplaneSet*> LevelGroups::HyperplanesOf(LevelGroup& level, const Hyperplanes& suggested) {
  return context_->Run("finding hyperplanes", [&]() -> absl::StatusOr<HyperplaneSet*> {
    std::unique_ptr<HyperplaneSet>& set = level.hyperplanes_[suggested];
    if (set == nullptr) set = std::make_unique<HyperplaneSet>(level.group(), suggested);
    return set.get();
  });
}

absl::StatusOr<RowDirection> LevelGroups::Direction(LevelGroup& level, const ScheduleRow& row) {
  return context_->Run("testing a loop", [&]() -> absl::StatusOr<RowDirection> {
    const isl::union_pw_aff member = row.Member();
    const std::string text = IslText(member);
    const auto found = level.directions_.find(text);
    if (found != level.directions_.end()) return found->second;
    return level.directions_[text] = DirectionOf(level.group().dependences(), row);
  });
}

void LevelGroups::Trim() {
  if (groups_.size() > kMostGroups) groups_.clear();
}

}  // namespace tune
