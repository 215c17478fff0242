// Which components of a group may share its next loop at levels O2 and O3.
#pragma once

#include <vector>

#include "common/schedule/level_groups.h"
#include "common/schedule/schedule_suggestion.h"
#include "common/transform/fusion_levels/partition_walk.h"

namespace tune {

// The next rows of a component's statements at level O3.
struct ComponentRows {
  Hyperplanes rows;       // empty: not chosen, isl's loop is taken
  bool standard = false;  // the suggested ones
};

// Where statements are while the nest around them is made.
struct LevelPlace {
  LevelGroup* group = nullptr;
  ScheduleSuggestion suggestion;  // may be empty
  bool is_new = false;            // the suggestion: not from the schedule that the loop above comes from
  LevelGroup* band = nullptr;  // the same statements where the band of the loop above begins; null: no band
  int parallel = 0;            // loops so far, those that are parallel
};

// The rules of Coding Ants, section 5.2, and of legality, at one place.
class LevelFusion {
 public:
  // All must outlive this. `rows`: by component; null at O2.
  LevelFusion(LevelGroups& groups, const LevelPlace& place, const std::vector<ComponentRows>* rows)
      : groups_(groups), place_(place), rows_(rows) {}

  // isl's parts, those that the chosen rows do not allow taken apart.
  absl::StatusOr<std::vector<ComponentOrder>> StandardParts();
  // As PartitionQuestion::fuses; also for a single loop of what isl would not fuse by itself.
  absl::StatusOr<bool> Fuses(const ComponentOrder& part);
  // There are several components, and the next loop would be the second parallel one for each.
  absl::StatusOr<bool> AllNeedSecondLoop();
  // All must share the next loop, too, as they share the first.
  absl::StatusOr<bool> MustFuse(const std::vector<ComponentOrder>& standard);

  // Parallel loops of the outer two that are still to be found.
  int MissingLoops() const;
  // isl's schedule of the group with all of its statements in its loops. `refined`: as
  // ScheduleStatementGroup.
  static const absl::StatusOr<isl::schedule>& ScheduleTogether(LevelGroups& groups, LevelGroup& group,
                                                               bool refined);
  // Some component of one part precedes one of another.
  static bool Depend(const StatementGraph& graph, const std::vector<ComponentOrder>& parts);
  // The statements of the components, in the scop's order.
  static std::vector<std::string> StatementsOf(const LevelGroup& group, const ComponentOrder& components);

 private:
  // The components of the statements, each after those that it depends on, else ascending.
  ComponentOrder InOrder(const std::vector<std::string>& statements) const;
  // Loops of the component that can be parallel, of those missing.
  absl::StatusOr<int> ParallelLoops(size_t component);
  absl::StatusOr<bool> ScheduleFuses(LevelGroup& together, int parallel);
  absl::StatusOr<bool> RowsFuse(LevelGroup& together, const ComponentOrder& part, int parallel);

  LevelGroups& groups_;
  const LevelPlace& place_;
  const std::vector<ComponentRows>* const rows_;
};

}  // namespace tune
