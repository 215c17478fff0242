// The space of the `cuda` target: which decisions there are, asked in one walk, by server and worker alike.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/device/device_facts.h"
#include "common/device/matrix_products.h"
#include "common/mapping/kernel_plan.h"
#include "common/space/schedule_space.h"
#include "common/transform/scop_transformation.h"

namespace tune {

// A walk's result: everything that the generator needs, as data. Must not outlive the space.
struct CudaPlan {
  // Whose scop this is a plan of, and in whose context it lives: that of the user's scop, or of one with
  // split statements, expanded arrays or both. Its further arrays and statements follow the user's.
  ScheduleSpace* schedules = nullptr;
  std::shared_ptr<const ScheduledScop> scheduled;  // tree with kernels marked
  std::vector<KernelPlan> kernels;                 // parallel to scheduled->kernels
  Decisions together;                              // of all kernels
};

struct CudaSpaceOptions {
  DeviceFacts device;
  int64_t max_expansion_bytes = int64_t{4} << 30;  // of all expanded arrays together
  ScheduleLevel level = ScheduleLevel::kO1;
  bool exact = false;       // sums keep their order: threads do not share a reduction
  MatrixProducts products;  // that tensor cores may compute
};

// One thread at a time. Keys, in the order asked: those of the transformations of the scop
// (ScopTransformations), the last first, until one is taken; those of schedule_space.h; for each kernel, in
// tree order, and then for all of them together those of CudaTransformations.
class CudaSpace {
 public:
  // As ScheduleSpace::Make.
  static absl::StatusOr<std::unique_ptr<CudaSpace>> Make(
      const v1::Scop& scop, const std::map<std::string, int64_t>& parameter_values,
      const CudaSpaceOptions& options, const IslContext::Limits& limits = {});

  // One candidate, at the options' level. Errors as ScheduleSpace::Walk.
  absl::StatusOr<CudaPlan> Walk(Chooser& chooser) { return Walk(chooser, options_.level); }
  // At another one: that of a recorded configuration is ScheduleLevelOf.
  absl::StatusOr<CudaPlan> Walk(Chooser& chooser, ScheduleLevel level);
  // With a schedule from elsewhere in place of those decisions (ScheduleSpace::Read). What the tree says of
  // its bands may be wrong: CheckCuda tells.
  absl::StatusOr<CudaPlan> WalkWithSchedule(const std::string& tree, Chooser& chooser);

  const CudaSpaceOptions& options() const { return options_; }
  // What the walks so far needed: forms of the scop besides the original, and schedules of it and of them.
  struct Work {
    int forms = 0, schedules = 0;
  };
  Work work() const;

 private:
  // Another form of the scop: of the one before, or else, and where the transformation says so, of the
  // original. Made when a walk first needs it, as most walks take one of the last forms.
  struct Form {
    const ScopTransformation* transformation = nullptr;
    bool looked = false, found = false;  // whether there is something to do
    bool standard = true;                // what was found is taken by default
    std::optional<v1::Scop> scop = {};   // that was found, until the space is made
    bool made = false;
    std::unique_ptr<ScheduleSpace> space = nullptr;  // null: there is nothing to do, or too much
  };

  CudaSpace(std::unique_ptr<ScheduleSpace> original, const CudaSpaceOptions& options,
            const IslContext::Limits& limits);
  // Where there is none: null. Errors as ScheduleSpace::Make.
  absl::StatusOr<ScheduleSpace*> FormAt(size_t number);
  absl::StatusOr<std::unique_ptr<ScheduleSpace>> MakeForm(size_t number);
  // Looks for the form's scop, once: nothing is found where that is too much, nor where the transformation
  // gives way to another one.
  absl::Status Look(size_t number);
  absl::StatusOr<bool> GivesWay(size_t number);
  // Whether candidates are asked for the form: of one that is analysed when it is taken, whether there is
  // one.
  absl::StatusOr<bool> IsThere(size_t number);
  // What the form starts from: the last one before it of which the schedule is decided, or the original.
  absl::StatusOr<ScheduleSpace*> LastWithoutOrder(size_t number);
  absl::StatusOr<ScheduleSpace*> ChooseScop(Chooser& chooser);
  // All decisions after those of the schedule.
  absl::StatusOr<CudaPlan> WalkKernels(CudaPlan plan, Chooser& chooser);

  std::unique_ptr<ScheduleSpace> original_;
  std::vector<Form> forms_;
  CudaSpaceOptions options_;
  IslContext::Limits limits_;  // of each form
};

}  // namespace tune
