// The decisions about the schedule, common to all targets.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "common/kernel/kernel.h"
#include "common/schedule/analysed_scop.h"
#include "common/transform/fusion_levels/level_walk.h"
#include "tune/v1/configuration.pb.h"

namespace tune {

// The level of the walk that made the configuration: what its decision schedule.level says; without one, O1.
ScheduleLevel ScheduleLevelOf(const v1::Configuration& configuration);

// SearchOptions.level as it is in a study's spec: 0 is O1. INVALID_ARGUMENT when there is no such level.
absl::StatusOr<ScheduleLevel> ParseScheduleLevel(int level);

// Holds the scop, its dependences and, as they are asked for, schedules, checked against the dependences;
// what was computed for earlier walks is kept: by the options at level O1, by the group of statements and the
// loops around it at O2 and O3. One thread at a time.
class ScheduleSpace {
 public:
  // Computes the dependences. `scop` should have its parameter facts (WithParameterFacts); `reductions`: as
  // SelectKernels takes it; `has_order`: the scop's loops are those of all candidates; `rounding`: as
  // ComputeDependences takes it.
  static absl::StatusOr<std::unique_ptr<ScheduleSpace>> Make(
      const v1::Scop& scop, const std::map<std::string, int64_t>& parameter_values,
      const IslContext::Limits& limits, InnerReductions reductions = InnerReductions::kInKernels,
      bool has_order = false, bool rounding = false);
  ~ScheduleSpace();

  // Asks nothing of a scop that has its order. At O1 asks those of schedule_options.h. At O2 and O3
  // schedule.level, which has that one option and tells in a configuration how to walk; then those of
  // level_walk.h. With all defaults, but schedule.parallel_reductions and schedule.join_consumers off, the
  // levels make the same kernels. Where isl finds no schedule, or not within the limits, the region's loops
  // are taken as they are written. Errors: the chooser's own; RESOURCE_EXHAUSTED or INTERNAL when not even
  // their kernels can be found (the candidate's outcome is then COMPILE, the space stays usable). The result
  // lives in context().
  absl::StatusOr<std::shared_ptr<const ScheduledScop>> Walk(Chooser& chooser,
                                                            ScheduleLevel level = ScheduleLevel::kO1);

  // The region's loops as they are written, but for the order of permutable ones, with their kernels:
  // computed at most once. Members are coincident also where that needs private variables
  // (KernelBand::privates). Errors as Walk.
  absl::StatusOr<std::shared_ptr<const ScheduledScop>> Written();

  // As Written, but with the region's outermost loops distributed (common/schedule/distribution.h), and with
  // the products among its kernels found (Kernel::product). Errors as Walk; FAILED_PRECONDITION when no
  // statement can be a product.
  absl::StatusOr<std::shared_ptr<const ScheduledScop>> Distributed();

  // The kernels of a schedule tree in isl's text, which a person wrote, or edited after it was printed
  // (IndentedText); marks in it are left out. That members are coincident and bands permutable is taken from
  // the text. INVALID_ARGUMENT: not a tree, or one of other instances; FAILED_PRECONDITION: it lacks
  // instances or violates a dependence.
  absl::StatusOr<std::shared_ptr<const ScheduledScop>> Read(const std::string& tree);

  const ParsedScop& scop() const;
  const Dependences& dependences() const;
  AnalysedScop& analysed();
  const std::map<std::string, int64_t>& parameter_values() const;
  IslContext& context();

 private:
  struct State;
  explicit ScheduleSpace(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace tune
