// The decisions about the schedule, common to all targets.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "common/dependence/dependence.h"
#include "common/kernel/kernel.h"
#include "common/space/chooser.h"

namespace tune {

// Holds the scop, its dependences and, as they are asked for, the schedules of level O1, checked against the
// dependences; a walk over schedules seen before does no isl work. One thread at a time.
class ScheduleSpace {
 public:
  // Computes the dependences. `scop` should have its parameter facts (WithParameterFacts); `reductions`: as
  // SelectKernels takes it.
  static absl::StatusOr<std::unique_ptr<ScheduleSpace>> Make(
      const v1::Scop& scop, const std::map<std::string, int64_t>& parameter_values,
      const IslContext::Limits& limits, InnerReductions reductions = InnerReductions::kInKernels);
  ~ScheduleSpace();

  // Asks schedule.algorithm, schedule.serialize_sccs, schedule.maximize_band_depth (when not serialized).
  // Errors: the chooser's own; RESOURCE_EXHAUSTED or INTERNAL when that schedule cannot be computed (the
  // candidate's outcome is then COMPILE, the space stays usable). The result lives in context().
  absl::StatusOr<std::shared_ptr<const ScheduledScop>> Walk(Chooser& chooser);

  const ParsedScop& scop() const;
  const Dependences& dependences() const;
  const std::map<std::string, int64_t>& parameter_values() const;
  IslContext& context();

 private:
  struct State;
  explicit ScheduleSpace(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace tune
