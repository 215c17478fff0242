// A scop, its dependences and its schedules.
#pragma once

#include <utility>
#include <vector>

#include "common/schedule/scheduler.h"

namespace tune {

// What analyses and transformations of a scop share. One thread at a time.
class AnalysedScop {
 public:
  // All must outlive it.
  AnalysedScop(IslContext& context, const ParsedScop& scop, const Dependences& dependences)
      : context_(context), scop_(scop), dependences_(dependences) {}
  AnalysedScop(const AnalysedScop&) = delete;
  AnalysedScop& operator=(const AnalysedScop&) = delete;

  IslContext& context() { return context_; }
  const ParsedScop& scop() const { return scop_; }
  const Dependences& dependences() const { return dependences_; }

  // As ComputeSchedule, which is asked once for equal options, also where it fails.
  absl::StatusOr<isl::schedule> Schedule(const ScheduleOptions& options = {});

  // How many schedules were computed.
  int computed() const { return static_cast<int>(schedules_.size()); }

 private:
  IslContext& context_;
  const ParsedScop& scop_;
  const Dependences& dependences_;
  std::vector<std::pair<ScheduleOptions, absl::StatusOr<isl::schedule>>> schedules_;
};

}  // namespace tune
