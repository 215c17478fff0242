// Decisions for all sizes: the schedule and its kernels know no value of a parameter, but between which
// bounds it lies; what is chosen is what is best at typical values.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "common/space/cuda_space.h"

namespace tune {

// The default decisions of a scop of which parameters have bounds, at any of their values.
class SymbolicPlans {
 public:
  // Of the user's scop for parameters that are large (WithLargeParameters) and at most `most`. Errors as
  // ScheduleSpace::Walk.
  static absl::StatusOr<std::shared_ptr<const SymbolicPlans>> Make(const v1::Scop& scop,
                                                                   const CudaSpaceOptions& options,
                                                                   int64_t most);

  const ParsedScop& scop() const { return schedules_->scop(); }
  IslContext& context() const { return schedules_->context(); }

  // Of all parameters, where each is about `typical`, and those that are products are what they then are.
  // Left out: those of which the context demands another value. INVALID_ARGUMENT when they cannot be so.
  absl::StatusOr<std::map<std::string, int64_t>> ValuesAbout(int64_t typical) const;

  // Launches whose number of blocks decides whether they pay off, which is known when they run, are apart:
  // those for several kernels are made where kernels need nothing of each other, and where one block is
  // enough for all. Lives in context(). INVALID_ARGUMENT as above; errors of isl.
  absl::StatusOr<CudaPlan> PlanAbout(int64_t typical) const;

  // Of each kernel, by name: iterations of its root band where parameters are about `typical`.
  absl::StatusOr<std::map<std::string, double>> IterationsAbout(int64_t typical) const;

  // What the plan decides, of which equal texts are equal plans.
  absl::StatusOr<std::string> DecisionsAbout(int64_t typical) const;

 private:
  SymbolicPlans(const v1::Scop& bounded, const CudaSpaceOptions& options)
      : bounded_(bounded), options_(options) {}
  absl::StatusOr<CudaPlan> Decide(int64_t typical, std::string* decisions) const;

  const v1::Scop bounded_;
  const CudaSpaceOptions options_;
  std::unique_ptr<ScheduleSpace> schedules_;
  std::shared_ptr<const ScheduledScop> scheduled_;  // in its context
};

}  // namespace tune
