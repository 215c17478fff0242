// The statement groups that walks reached, with what was computed for them.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/schedule/group_scheduler.h"
#include "common/schedule/hyperplane_set.h"
#include "common/schedule/statement_graph.h"

namespace tune {

// How a row stands to dependences: kParallel: none moves along it; kForward: none goes backward.
enum class RowDirection { kParallel, kForward, kBackward };

// A statement group and facts of it, each computed when first asked for. Made by LevelGroups.
class LevelGroup {
 public:
  const StatementGroup& group() const { return group_; }
  const std::vector<std::string>& statements() const { return group_.statements(); }
  const StatementGraph& graph() const { return graph_; }
  // A component that needs no further loop: a single statement whose instances all have different rows.
  bool IsComplete(size_t component) const { return complete_[component]; }
  bool IsComplete() const;

 private:
  friend class LevelGroups;
  explicit LevelGroup(StatementGroup group);  // throws isl::exception

  StatementGroup group_;
  StatementGraph graph_;
  std::vector<bool> complete_;
  std::map<std::pair<GroupFusion, bool>, absl::StatusOr<isl::schedule>> schedules_;
  std::unique_ptr<DependenceDistances> distances_;
  std::map<Hyperplanes, std::unique_ptr<HyperplaneSet>> hyperplanes_;
  std::map<std::string, RowDirection> directions_;  // by the row's text
};

// Groups by their ids. Errors of all functions: those of IslContext::Run. One thread at a time.
class LevelGroups {
 public:
  // All but the context are copied or must outlive this.
  LevelGroups(IslContext* context, const ParsedScop* scop, const Dependences* dependences)
      : context_(context), scop_(scop), dependences_(dependences) {}

  absl::StatusOr<LevelGroup*> Whole();
  absl::StatusOr<LevelGroup*> Part(const LevelGroup& group, const std::vector<std::string>& statements);
  absl::StatusOr<LevelGroup*> Below(const LevelGroup& group, const ScheduleRow& row);

  // ScheduleStatementGroup, also its failures, kept.
  const absl::StatusOr<isl::schedule>& Schedule(LevelGroup& group, GroupFusion fusion, bool refined);
  // kByScheduler; where isl finds none, or none with a loop for statements that need one, what the region's
  // own order has: legal inside any loops, and always there.
  absl::StatusOr<isl::schedule> ScheduleOrOriginal(LevelGroup& group, bool refined);
  // The bounds for all dependences of the level.
  absl::StatusOr<const DependenceDistances*> Distances(LevelGroup& group);
  // Precondition: the level has one component.
  absl::StatusOr<HyperplaneSet*> HyperplanesOf(LevelGroup& group, const Hyperplanes& suggested);
  absl::StatusOr<RowDirection> Direction(LevelGroup& group, const ScheduleRow& row);

  // Forgets everything when there is much of it. No level may be in use.
  void Trim();
  size_t size() const { return groups_.size(); }

 private:
  absl::StatusOr<LevelGroup*> Keep(StatementGroup group);

  IslContext* const context_;
  const ParsedScop* const scop_;
  const Dependences* const dependences_;
  std::map<std::string, std::unique_ptr<LevelGroup>> groups_;  // by id
};

}  // namespace tune
