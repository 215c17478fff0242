#include "common/transform/fusion_levels/level_fusion.h"

#include <algorithm>

namespace tune {
namespace {

constexpr int kParallelLoops = 2;  // that are to be kept

}  // namespace

absl::StatusOr<std::vector<ComponentOrder>> LevelFusion::StandardParts() {
  std::vector<ComponentOrder> parts;
  for (const std::vector<std::string>& statements : place_.suggestion.Parts(place_.group->statements())) {
    const ComponentOrder part = InOrder(statements);
    bool together = std::all_of(part.begin(), part.end(),
                                [&](size_t c) { return rows_ == nullptr || (*rows_)[c].standard; });
    if (!together && part.size() > 1) {
      ComponentOrder ascending = part;
      std::sort(ascending.begin(), ascending.end());
      TUNE_ASSIGN_OR_RETURN(together, Fuses(ascending));
    }
    if (together && !place_.group->IsComplete()) {
      parts.push_back(part);
    } else {
      for (const size_t component : part) parts.push_back({component});
    }
  }
  return parts;
}

ComponentOrder LevelFusion::InOrder(const std::vector<std::string>& statements) const {
  const StatementGraph& graph = place_.group->graph();
  std::vector<size_t> left;
  for (const std::string& statement : statements) {
    const size_t component = graph.ComponentOf(statement);
    if (std::count(left.begin(), left.end(), component) == 0) left.push_back(component);
  }
  ComponentOrder order;
  while (!left.empty()) {
    const auto first = std::find_if(left.begin(), left.end(), [&](size_t c) {
      return std::none_of(left.begin(), left.end(), [&](size_t other) { return graph.Precedes(other, c); });
    });
    order.push_back(*first);
    left.erase(first);
  }
  return order;
}

absl::StatusOr<bool> LevelFusion::Fuses(const ComponentOrder& part) {
  const auto is_complete = [&](size_t c) { return place_.group->IsComplete(c); };
  if (std::all_of(part.begin(), part.end(), is_complete)) return false;
  TUNE_ASSIGN_OR_RETURN(const int parallel, ParallelLoops(part.front()));
  for (const size_t component : part) {
    TUNE_ASSIGN_OR_RETURN(const int other, ParallelLoops(component));
    if (other != parallel) return false;
  }
  TUNE_ASSIGN_OR_RETURN(LevelGroup * together,
                        groups_.Part(*place_.group, StatementsOf(*place_.group, part)));
  return rows_ == nullptr ? ScheduleFuses(*together, parallel) : RowsFuse(*together, part, parallel);
}

absl::StatusOr<bool> LevelFusion::ScheduleFuses(LevelGroup& together, int parallel) {
  const absl::StatusOr<isl::schedule>& schedule = ScheduleTogether(groups_, together, /*refined=*/false);
  return schedule.ok() && std::min(ParallelMembers(*schedule), MissingLoops()) >= parallel;
}

absl::StatusOr<bool> LevelFusion::RowsFuse(LevelGroup& together, const ComponentOrder& part, int parallel) {
  Hyperplanes chosen;
  for (const size_t c : part) chosen.insert((*rows_)[c].rows.begin(), (*rows_)[c].rows.end());
  if (chosen.size() != together.statements().size()) return false;  // isl's loops are not known yet
  TUNE_ASSIGN_OR_RETURN(const DependenceDistances* distances, groups_.Distances(together));
  return distances->Shifts(chosen, parallel > 0).has_value();
}

absl::StatusOr<bool> LevelFusion::AllNeedSecondLoop() {
  const size_t count = place_.group->graph().components().size();
  if (count < 2 || place_.parallel != kParallelLoops - 1) return false;
  for (size_t c = 0; c < count; ++c) {
    TUNE_ASSIGN_OR_RETURN(const int parallel, ParallelLoops(c));
    if (parallel == 0) return false;
  }
  return true;
}

absl::StatusOr<bool> LevelFusion::MustFuse(const std::vector<ComponentOrder>& standard) {
  TUNE_ASSIGN_OR_RETURN(const bool needed, AllNeedSecondLoop());
  if (!needed || standard.size() == 1) return needed;
  ComponentOrder all;
  for (size_t c = 0; c < place_.group->graph().components().size(); ++c) all.push_back(c);
  return Fuses(all);
}

absl::StatusOr<int> LevelFusion::ParallelLoops(size_t component) {
  if (place_.group->IsComplete(component) || MissingLoops() == 0) return 0;
  TUNE_ASSIGN_OR_RETURN(LevelGroup * alone,
                        groups_.Part(*place_.group, place_.group->graph().components()[component]));
  const absl::StatusOr<isl::schedule>& schedule =
      ScheduleTogether(groups_, *alone, /*refined=*/rows_ != nullptr);
  return schedule.ok() ? std::min(ParallelMembers(*schedule), MissingLoops()) : 0;
}

int LevelFusion::MissingLoops() const { return std::max(0, kParallelLoops - place_.parallel); }

const absl::StatusOr<isl::schedule>& LevelFusion::ScheduleTogether(LevelGroups& groups, LevelGroup& group,
                                                                   bool refined) {
  const bool is_component = group.graph().components().size() == 1;
  return groups.Schedule(group, is_component ? GroupFusion::kByScheduler : GroupFusion::kForced, refined);
}

bool LevelFusion::Depend(const StatementGraph& graph, const std::vector<ComponentOrder>& parts) {
  for (size_t later = 1; later < parts.size(); ++later) {
    for (size_t earlier = 0; earlier < later; ++earlier) {
      for (const size_t first : parts[earlier]) {
        const auto follows = [&](size_t second) { return graph.Precedes(first, second); };
        if (std::any_of(parts[later].begin(), parts[later].end(), follows)) return true;
      }
    }
  }
  return false;
}

std::vector<std::string> LevelFusion::StatementsOf(const LevelGroup& group,
                                                   const ComponentOrder& components) {
  std::vector<std::string> statements;
  for (const std::string& statement : group.statements()) {
    if (std::count(components.begin(), components.end(), group.graph().ComponentOf(statement)) > 0)
      statements.push_back(statement);
  }
  return statements;
}

}  // namespace tune
