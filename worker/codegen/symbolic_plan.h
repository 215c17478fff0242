// Decisions for all sizes: the schedule and its kernels know no value of a parameter, but between which
// bounds it lies; what is chosen is what is best at typical values.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "common/space/cuda_space.h"

namespace tune {

// By the names of parameters.
using SizeValues = std::map<std::string, int64_t>;

struct DefaultsAtSizes {
  std::string decisions;                     // equal texts are equal plans
  std::map<std::string, double> iterations;  // of the root band of each kernel, by its name
};

// What a scop is, if not the user's.
struct ScopForm {
  int further = 0;         // parameters, the last ones, of which the context says all
  bool has_order = false;  // in which it is to run (ScheduleSpace)
};

// The default decisions of a scop of which parameters have bounds, at any of their values.
class SymbolicPlans {
 public:
  // For parameters that are large (WithLargeParameters), but for further ones, and at most `most`. Errors as
  // ScheduleSpace::Walk.
  static absl::StatusOr<std::shared_ptr<const SymbolicPlans>> Make(const v1::Scop& scop,
                                                                   const CudaSpaceOptions& options,
                                                                   int64_t most, const ScopForm& form = {});

  const ParsedScop& scop() const { return schedules_->scop(); }
  AnalysedScop& analysed() const { return schedules_->analysed(); }
  IslContext& context() const { return schedules_->context(); }

  // These values of parameters with those of the ones that are products. Left out: those of which the context
  // demands another value. INVALID_ARGUMENT when they cannot all be so.
  absl::StatusOr<SizeValues> Complete(SizeValues values) const;

  // What follows is at complete values. Launches whose number of blocks decides whether they pay off, which
  // is known when they run, are apart: those for several kernels are made where kernels need nothing of each
  // other, and where one block is enough for all. Lives in context(). Errors of isl.
  absl::StatusOr<CudaPlan> PlanAt(const SizeValues& values) const;
  absl::StatusOr<DefaultsAtSizes> DefaultsAt(const SizeValues& values) const;

 private:
  SymbolicPlans(const v1::Scop& bounded, const CudaSpaceOptions& options)
      : bounded_(bounded), options_(options) {}
  absl::StatusOr<bool> Allows(const SizeValues& values) const;  // the context
  absl::StatusOr<CudaPlan> Decide(const SizeValues& values, std::string* decisions) const;

  const v1::Scop bounded_;
  const CudaSpaceOptions options_;
  std::unique_ptr<ScheduleSpace> schedules_;
  std::shared_ptr<const ScheduledScop> scheduled_;  // in its context
};

}  // namespace tune
