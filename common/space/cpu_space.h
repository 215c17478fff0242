// The space of the `cpu` target: which decisions there are, asked in one walk, by server and worker alike.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "common/isl/isl.h"
#include "common/kernel/kernel.h"
#include "common/schedule/scheduler.h"
#include "common/scop/scop.h"
#include "common/space/chooser.h"

namespace tune {

// What was decided for one band below a kernel, or the kernel's own band. Members outermost first.
struct CpuBandPlan {
  std::vector<int64_t> tile_sizes;  // one a member; 0: this member is not tiled
};

// What was decided for one kernel.
struct CpuKernelPlan {
  std::string name;                // "k[S0,S1]", equals Kernel::name
  std::vector<CpuBandPlan> bands;  // parallel to Kernel::bands
  int parallel_member = -1;        // member of bands[0] whose (tile) loop runs in parallel; -1: none
  int threads = 1;                 // OpenMP threads when parallel_member >= 0
  int64_t unroll = 1;              // factor of the innermost loop; 1: none
  bool simd = false;               // `omp simd` on the innermost coincident loop
};

// A walk's result: everything that the generator needs, as data. Lives in the space's isl context: must not
// outlive it.
struct CpuPlan {
  std::shared_ptr<const ScheduledScop> scheduled;  // tree with kernels marked
  std::vector<CpuKernelPlan> kernels;              // parallel to scheduled->kernels
};

struct CpuSpaceOptions {
  int hardware_threads = 1;  // of the device
};

// Holds the scop, its dependences and, as they are asked for, the schedules of level O1, checked against the
// dependences; a walk over schedules seen before does no isl work. One thread at a time.
//
// Keys, in the order asked: schedule.algorithm, schedule.serialize_sccs, schedule.maximize_band_depth (when
// not serialized); then for each kernel, in tree order, those of cpu_kernel_walk.h.
class CpuSpace {
 public:
  // Computes the dependences. `scop` should have its parameter facts (WithParameterFacts).
  static absl::StatusOr<std::unique_ptr<CpuSpace>> Make(
      const v1::Scop& scop, const std::map<std::string, int64_t>& parameter_values,
      const CpuSpaceOptions& options, const IslContext::Limits& limits = {});
  ~CpuSpace();

  // One candidate. Errors: the chooser's own; RESOURCE_EXHAUSTED or INTERNAL when a schedule cannot be
  // computed (the candidate's outcome is then COMPILE, the space stays usable).
  absl::StatusOr<CpuPlan> Walk(Chooser& chooser);

  const ParsedScop& scop() const;
  const std::map<std::string, int64_t>& parameter_values() const;
  IslContext& context();

 private:
  struct State;
  explicit CpuSpace(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace tune
