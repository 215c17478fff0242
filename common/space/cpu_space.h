// The space of the `cpu` target: which decisions there are, asked in one walk, by server and worker alike.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/space/schedule_space.h"
#include "common/transform/openmp_transformation.h"

namespace tune {

// A walk's result: everything that the generator needs, as data. Lives in the space's isl context: must not
// outlive it.
struct CpuPlan {
  bool written = false;  // the loops are the region's own, maybe distributed, not a computed schedule's
  std::shared_ptr<const ScheduledScop> scheduled;  // tree with kernels marked
  std::vector<HostKernelPlan> kernels;             // parallel to scheduled->kernels
};

struct CpuSpaceOptions {
  int hardware_threads = 1;  // of the device
  ScheduleLevel level = ScheduleLevel::kO1;
};

// One thread at a time. Keys, in the order asked: `loops`, `written` (ScheduleSpace::Written), `scheduled`
// or, where that makes a product a kernel, `distributed` (ScheduleSpace::Distributed); with `scheduled` those
// of schedule_space.h; then for each kernel, in tree order, those of the transformations of common/transform.
class CpuSpace {
 public:
  // As ScheduleSpace::Make.
  static absl::StatusOr<std::unique_ptr<CpuSpace>> Make(
      const v1::Scop& scop, const std::map<std::string, int64_t>& parameter_values,
      const CpuSpaceOptions& options, const IslContext::Limits& limits = {});

  // One candidate, at the options' level. Errors as ScheduleSpace::Walk.
  absl::StatusOr<CpuPlan> Walk(Chooser& chooser) { return Walk(chooser, options_.level); }
  // At another one: that of a recorded configuration is ScheduleLevelOf.
  absl::StatusOr<CpuPlan> Walk(Chooser& chooser, ScheduleLevel level);

  const ParsedScop& scop() const { return schedules_->scop(); }
  const std::map<std::string, int64_t>& parameter_values() const { return schedules_->parameter_values(); }
  IslContext& context() { return schedules_->context(); }

 private:
  CpuSpace(std::unique_ptr<ScheduleSpace> schedules, const CpuSpaceOptions& options)
      : schedules_(std::move(schedules)), options_(options) {}
  // Whether `written` is the default of `loops`; computed at most once.
  bool PrefersWritten();
  // The loops whose kernels are walked.
  enum class Loops { kWritten, kScheduled, kDistributed };
  // Whether distribution makes products, and whether one of them is large enough to be the default.
  struct Products {
    bool any = false, large = false;
  };
  Products FindProducts();
  absl::StatusOr<Loops> ChooseLoops(Chooser& chooser);

  std::unique_ptr<ScheduleSpace> schedules_;
  std::optional<bool> prefers_written_;
  CpuSpaceOptions options_;
};

}  // namespace tune
