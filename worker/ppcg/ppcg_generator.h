// From the decisions about a candidate to CUDA C and its launch sequence, by PPCG.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/space/ppcg_record.h"
#include "common/space/ppcg_space.h"
#include "tune/v1/evaluation.pb.h"
#include "worker/ppcg/ppcg_input.h"
#include "worker/ppcg/ppcg_output.h"
#include "worker/ppcg/ppcg_program.h"
#include "worker/print/cuda_program.h"

namespace tune {

struct PpcgOptions {
  PpcgLimits limits;
  PpcgSpaceOptions space;
  IslContext::Limits isl;
};

// Serves one scop at the parameter values of one reference. One thread at a time.
class PpcgGenerator {
 public:
  // As ScheduleSpace::Make; INVALID_ARGUMENT when the reference lacks an array, and where data decide
  // which elements the region accesses. Where the reference has a
  // record of the kernels' shapes, walks go by that, as they do on the server.
  static absl::StatusOr<std::unique_ptr<PpcgGenerator>> Make(const PpcgProgram& program, const v1::Scop& scop,
                                                             const v1::Reference& reference,
                                                             const PpcgOptions& options);

  // One candidate: WalkPpcg, with the kernels' shapes from the reference's record; without one from a run of
  // PPCG for each schedule, kept.
  absl::StatusOr<PpcgPlan> Walk(Chooser& chooser);

  // The plan's program; its arrays are those of scop(). Errors: those of PpcgProgram::Run; INVALID_ARGUMENT
  // (outcome CONSTRAINTS) when PPCG leaves statements of the region on the host, or the plan is not of this
  // space; INTERNAL when the output is not as PPCG 0.09 writes it.
  absl::StatusOr<CudaProgram> Generate(const PpcgPlan& plan);

  // The kernels that PPCG makes with this schedule. Errors as Generate.
  absl::StatusOr<std::vector<PpcgKernelShape>> Shapes(const PpcgSchedulePlan& schedule);

  // What a reference run records: the shapes of all schedules that walks can take. At most `at_once` runs of
  // PPCG at a time. CANCELLED.
  absl::StatusOr<std::vector<v1::PpcgSchedule>> RecordShapes(int at_once);

  const ParsedScop& scop() const { return schedules_->scop(); }
  const PpcgInput& input() const { return input_; }  // what PPCG is given
  // What PPCG is called with, besides the input and a schedule: for people, and for keys of results.
  std::vector<std::string> Arguments(const PpcgPlan& plan) const;

 private:
  PpcgGenerator(const PpcgProgram& program, std::unique_ptr<ScheduleSpace> schedules,
                const PpcgOptions& options)
      : program_(program), schedules_(std::move(schedules)), options_(options) {}
  // Those that PPCG can load; null: none.
  ScheduleSpace* OwnSchedules() const;
  // What PPCG is started with, but for the input.
  struct Call {
    std::vector<std::string> arguments;
    std::string schedule;  // for it to load, or empty
  };
  absl::StatusOr<Call> Prepare(const PpcgSchedulePlan& schedule, const std::vector<std::string>& arguments);
  absl::StatusOr<Call> PrepareShapes(const PpcgSchedulePlan& schedule);
  // Thread safe.
  absl::StatusOr<PpcgFiles> Run(const Call& call) const {
    return program_.Run(input_.text, call.arguments, call.schedule, options_.limits);
  }
  // Parallel to `calls`.
  std::vector<absl::StatusOr<PpcgFiles>> RunAll(const std::vector<absl::StatusOr<Call>>& calls,
                                                int at_once) const;
  absl::StatusOr<PpcgOutput> Parse(const PpcgFiles& files) const;
  absl::StatusOr<std::vector<PpcgKernelShape>> FindShapes(const absl::StatusOr<PpcgFiles>& files);

  const PpcgProgram program_;
  std::unique_ptr<ScheduleSpace> schedules_;  // before all that lives in its context
  const PpcgOptions options_;
  std::vector<DeviceArray> arrays_;
  std::vector<ArrayTransfer> transfers_;
  PpcgInput input_;
  std::optional<PpcgRecord> record_;
  std::map<std::string, absl::StatusOr<std::vector<PpcgKernelShape>>> shapes_;  // by PpcgSchedulePlan::Key
};

}  // namespace tune
