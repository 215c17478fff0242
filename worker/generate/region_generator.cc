#include "worker/generate/region_generator.h"

#include "absl/strings/str_cat.h"
#include "common/decision/configuration.h"
#include "common/scop/parameter_values.h"
#include "common/space/cuda_device_options.h"
#include "worker/codegen/code_generator.h"
#include "worker/codegen/cuda_generator.h"
#include "worker/generate/assumed_reference.h"
#include "worker/generate/decision_choosers.h"
#include "worker/ppcg/ppcg_generator.h"

namespace tune {
namespace {

// One region on its way.
struct Region {
  const v1::Scop& scop;
  const GenerateRequest& request;
  v1::Reference reference;
  std::map<std::string, int64_t> values;  // of the scop's own parameters
};

struct Generated {
  GeneratedProgram program;
  std::vector<v1::Finding> findings;
};

std::unique_ptr<Chooser> MakeChooser(const GenerateRequest& request) {
  if (request.configuration) return std::make_unique<ReplayChooser>(*request.configuration);
  if (request.seed) return std::make_unique<RandomChooser>(*request.seed);
  return std::make_unique<SettingChooser>(request.settings);
}

bool Diagnosed(const GenerateRequest& request) {
  return request.diagnosis.check_mapping() || request.diagnosis.stages_size() > 0;
}

absl::Status CheckRounding(const GenerateRequest& request) {
  if (request.rounding != v1::ROUNDING_TF32X3) return absl::OkStatus();
  if (request.device.target() == v1::CUDA && request.generator != kPpcgGenerator &&
      FactsOf(request.device).MultipliesTf32())
    return absl::OkStatus();
  return absl::InvalidArgumentError(
      "--tf32x3 is of code that the builtin generator makes for GPUs of compute capability 8.0 and later: "
      "give --arch sm_80 or a later one");
}

absl::Status CheckPossible(const GenerateRequest& request) {
  const auto refuse = [](absl::string_view why) { return absl::InvalidArgumentError(why); };
  if (request.generator == kPpcgGenerator) {
    if (request.device.target() != v1::CUDA)
      return refuse("--generator ppcg makes code for GPUs alone: give --arch");
    if (Diagnosed(request) || !request.trees.empty())
      return refuse("--check, -d and --tree are of the builtin generator: leave --generator ppcg out");
  }
  TUNE_RETURN_IF_ERROR(CheckRounding(request));
  if (request.device.target() == v1::CUDA) return absl::OkStatus();
  if (!request.trees.empty()) return refuse("--tree is of a mapping to a GPU: give --arch");
  if (request.diagnosis.check_mapping()) return refuse("--check is of a mapping to a GPU: give --arch");
  return absl::OkStatus();
}

// OpenMP code has places for as many threads as there are here; the run time may have fewer.
absl::StatusOr<Generated> GenerateForCpu(const Region& region, ScheduleLevel level,
                                         RecordingChooser& chooser) {
  CpuSpaceOptions options;
  options.hardware_threads = region.request.device.cores();
  TUNE_ASSIGN_OR_RETURN(
      auto space, CpuSpace::Make(WithParameterFacts(region.scop, region.values), region.values, options));
  TUNE_RETURN_IF_ERROR(space->Walk(chooser, level).status());
  const std::unique_ptr<CodeGenerator> generator = MakeOpenMpGenerator(std::move(space));
  Generated generated;
  TUNE_ASSIGN_OR_RETURN(generated.program, generator->Generate(chooser.configuration()));
  if (Diagnosed(region.request)) {
    TUNE_ASSIGN_OR_RETURN(generated.findings,
                          generator->Diagnose(chooser.configuration(), region.request.diagnosis));
  }
  return generated;
}

absl::StatusOr<Generated> GenerateForCuda(const Region& region, ScheduleLevel level,
                                          RecordingChooser& chooser) {
  const GenerateRequest& request = region.request;
  const CudaSpaceOptions options = CudaOptionsOf(request.device, request.rounding);
  TUNE_ASSIGN_OR_RETURN(const auto space, CudaSpace::Make(WithParameterFacts(region.scop, region.values),
                                                          region.values, options));
  TreeTexts trees = request.trees;
  const auto schedule = trees.extract("schedule");
  TUNE_ASSIGN_OR_RETURN(const CudaPlan plan, schedule ? space->WalkWithSchedule(schedule.mapped(), chooser)
                                                      : space->Walk(chooser, level));
  Generated generated;
  if (Diagnosed(request)) {
    TUNE_ASSIGN_OR_RETURN(generated.findings,
                          DiagnoseCuda(plan, options, region.reference, request.diagnosis, trees));
  }
  // A person's schedule is always checked; other trees are where they are taken.
  if (schedule && trees.empty() && !request.diagnosis.check_mapping())
    TUNE_RETURN_IF_ERROR(CheckCuda(plan, options, region.reference));
  TUNE_ASSIGN_OR_RETURN(CudaProgram program, GenerateCuda(plan, options, region.reference, trees));
  generated.program = DeviceCode(std::move(program), plan.schedules->scop().proto);
  return generated;
}

absl::StatusOr<Generated> GenerateByPpcg(const Region& region, RecordingChooser& chooser) {
  TUNE_ASSIGN_OR_RETURN(const PpcgProgram ppcg, PpcgProgram::Find(region.request.ppcg));
  PpcgOptions options;
  options.space = PpcgOptionsOf(region.request.device);
  TUNE_ASSIGN_OR_RETURN(const auto generator,
                        PpcgGenerator::Make(ppcg, region.scop, region.reference, options));
  TUNE_ASSIGN_OR_RETURN(const PpcgPlan plan, generator->Walk(chooser));
  TUNE_ASSIGN_OR_RETURN(CudaProgram program, generator->Generate(plan));
  return Generated{DeviceCode(std::move(program), region.scop), {}};
}

}  // namespace

absl::StatusOr<v1::ArchivedStudy> GenerateRegion(const v1::Scop& scop, const GenerateRequest& request,
                                                 std::vector<std::string>* notes) {
  TUNE_RETURN_IF_ERROR(CheckPossible(request));
  TUNE_ASSIGN_OR_RETURN(const v1::Reference reference, AssumeReference(scop, request.values, notes));
  const Region region = {scop, request, reference, ParameterValueMap(reference)};
  const ScheduleLevel level = request.configuration ? ScheduleLevelOf(*request.configuration) : request.level;
  const std::unique_ptr<Chooser> decided = MakeChooser(request);
  RecordingChooser chooser(decided.get());
  absl::StatusOr<Generated> generated = request.generator == kPpcgGenerator ? GenerateByPpcg(region, chooser)
                                        : request.device.target() == v1::CUDA
                                            ? GenerateForCuda(region, level, chooser)
                                            : GenerateForCpu(region, level, chooser);
  if (!generated.ok()) return Annotate(generated.status(), scop.name());
  if (const auto* replayed = dynamic_cast<const ReplayChooser*>(decided.get());
      replayed && request.trees.empty())
    TUNE_RETURN_IF_ERROR(replayed->CheckAllUsed());
  v1::ArchivedStudy study;
  *study.mutable_study()->mutable_device() = request.device;
  *study.mutable_study()->mutable_reference() = reference;
  study.mutable_spec()->set_rounding(request.rounding);
  v1::Candidate& candidate = *study.add_candidates()->mutable_candidate();
  *candidate.mutable_configuration() = chooser.configuration();
  v1::Evaluation& evaluation = *candidate.mutable_evaluation();
  evaluation.set_code(generated->program.code);
  evaluation.set_device_file(generated->program.device_file);
  for (v1::Finding& finding : generated->findings) *evaluation.add_findings() = std::move(finding);
  return study;
}

}  // namespace tune
