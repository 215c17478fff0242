#include "worker/codegen/code_generator.h"

#include "common/base/fingerprint.h"
#include "common/decision/configuration.h"
#include "common/program/program_text.h"
#include "common/scop/parameter_values.h"
#include "worker/codegen/cuda_generator.h"
#include "worker/codegen/openmp_generator.h"
#include "worker/mapping/cpu_mapper.h"
#include "worker/print/cuda_region.h"

namespace tune {
namespace {

absl::Status CheckParameters(const v1::Scop& scop, const std::map<std::string, int64_t>& values) {
  for (const v1::Parameter& parameter : scop.parameters()) {
    if (values.count(parameter.name()) == 0) {
      return absl::InvalidArgumentError(absl::StrCat("scop ", scop.name(),
                                                     ": the reference has no value of parameter ",
                                                     parameter.name(), "; run the reference again"));
    }
  }
  return absl::OkStatus();
}

GeneratedProgram HostProgram(std::string code) {
  GeneratedProgram generated;
  generated.fingerprint = Fingerprint(code);
  generated.code = std::move(code);
  return generated;
}

class OpenMpGenerator : public CodeGenerator {
 public:
  explicit OpenMpGenerator(std::unique_ptr<CpuSpace> space) : space_(std::move(space)) {}

  absl::StatusOr<GeneratedProgram> Generate(const v1::Configuration& configuration) override {
    // 1. The recorded decisions, replayed.
    ReplayChooser chooser(configuration);
    TUNE_ASSIGN_OR_RETURN(const CpuPlan plan, space_->Walk(chooser, ScheduleLevelOf(configuration)));
    TUNE_RETURN_IF_ERROR(chooser.CheckAllUsed());
    // 2. Tiled, permuted, marked.
    TUNE_ASSIGN_OR_RETURN(const isl::schedule mapped,
                          MapCpuPlan(space_->context(), plan, space_->parameter_values()));
    // 3. Text.
    TUNE_ASSIGN_OR_RETURN(std::string code, PrintOpenMpBlock(space_->context(), mapped, space_->scop(),
                                                             space_->parameter_values()));
    return HostProgram(std::move(code));
  }

  absl::StatusOr<std::vector<v1::Finding>> Diagnose(const v1::Configuration& configuration,
                                                    const v1::Diagnosis& diagnosis) override {
    if (diagnosis.check_mapping())
      return absl::InvalidArgumentError("only a mapping to a GPU can be checked (--target cuda)");
    ReplayChooser chooser(configuration);
    TUNE_ASSIGN_OR_RETURN(const CpuPlan plan, space_->Walk(chooser, ScheduleLevelOf(configuration)));
    TUNE_ASSIGN_OR_RETURN(const isl::schedule mapped,
                          MapCpuPlan(space_->context(), plan, space_->parameter_values()));
    std::vector<v1::Finding> findings;
    for (const std::string& stage : diagnosis.stages()) {
      findings.emplace_back().set_title(stage);
      TUNE_ASSIGN_OR_RETURN(*findings.back().mutable_text(), Tell(stage, *plan.scheduled, mapped));
    }
    return findings;
  }

 private:
  absl::StatusOr<std::string> Tell(const std::string& stage, const ScheduledScop& scheduled,
                                   const isl::schedule& mapped) const {
    if (stage == "schedule") return IndentedText(scheduled.tree);
    if (stage == "mapped") return IndentedText(mapped);
    if (stage == "program") {
      TUNE_ASSIGN_OR_RETURN(
          const OpenMpProgram program,
          MakeOpenMpProgram(space_->context(), mapped, space_->scop(), space_->parameter_values()));
      return PrintProgramText(program);
    }
    return absl::InvalidArgumentError(
        absl::StrCat("there is no stage \"", stage, "\" on cpu: mapped, program, schedule"));
  }

  std::unique_ptr<CpuSpace> space_;
};

class CudaCodeGenerator : public CodeGenerator {
 public:
  CudaCodeGenerator(std::unique_ptr<CudaSpace> space, v1::Reference reference)
      : space_(std::move(space)), reference_(std::move(reference)) {}

  absl::StatusOr<GeneratedProgram> Generate(const v1::Configuration& configuration) override {
    // 1. The recorded decisions, replayed.
    ReplayChooser chooser(configuration);
    TUNE_ASSIGN_OR_RETURN(const CudaPlan plan, space_->Walk(chooser, ScheduleLevelOf(configuration)));
    TUNE_RETURN_IF_ERROR(chooser.CheckAllUsed());
    // 2. Kernels and the plan of their launches.
    TUNE_ASSIGN_OR_RETURN(CudaProgram program, GenerateCuda(plan, space_->options(), reference_));
    // 3. What the user gets.
    return DeviceCode(std::move(program), plan.schedules->scop().proto);
  }

  absl::StatusOr<std::vector<v1::Finding>> Diagnose(const v1::Configuration& configuration,
                                                    const v1::Diagnosis& diagnosis) override {
    ReplayChooser chooser(configuration);
    TUNE_ASSIGN_OR_RETURN(const CudaPlan plan, space_->Walk(chooser, ScheduleLevelOf(configuration)));
    return DiagnoseCuda(plan, space_->options(), reference_, diagnosis);
  }

 private:
  const std::unique_ptr<CudaSpace> space_;
  const v1::Reference reference_;
};

}  // namespace

GeneratedProgram DeviceCode(CudaProgram program, const v1::Scop& scop) {
  CudaRegion region = PrintCudaRegion(program, scop);
  GeneratedProgram generated;
  generated.fingerprint = Fingerprint(region.file);
  generated.code = std::move(region.call);
  generated.device_file = std::move(region.file);
  generated.cuda = std::move(program);
  return generated;
}

absl::StatusOr<std::unique_ptr<CodeGenerator>> MakeOpenMpGenerator(const v1::Scop& scop,
                                                                   const v1::Reference& reference,
                                                                   int hardware_threads) {
  const std::map<std::string, int64_t> values = ParameterValueMap(reference);
  TUNE_RETURN_IF_ERROR(CheckParameters(scop, values));
  TUNE_ASSIGN_OR_RETURN(
      std::unique_ptr<CpuSpace> space,
      CpuSpace::Make(WithParameterFacts(scop, values), values, CpuSpaceOptions{hardware_threads}));
  return MakeOpenMpGenerator(std::move(space));
}

std::unique_ptr<CodeGenerator> MakeOpenMpGenerator(std::unique_ptr<CpuSpace> space) {
  return std::make_unique<OpenMpGenerator>(std::move(space));
}

absl::StatusOr<std::unique_ptr<CodeGenerator>> MakeCudaGenerator(const v1::Scop& scop,
                                                                 const v1::Reference& reference,
                                                                 const CudaSpaceOptions& options) {
  const std::map<std::string, int64_t> values = ParameterValueMap(reference);
  TUNE_RETURN_IF_ERROR(CheckParameters(scop, values));
  TUNE_ASSIGN_OR_RETURN(std::unique_ptr<CudaSpace> space,
                        CudaSpace::Make(WithParameterFacts(scop, values), values, options));
  return std::make_unique<CudaCodeGenerator>(std::move(space), reference);
}

absl::StatusOr<GeneratedProgram> GenerateSequential(const v1::Scop& scop, const v1::Reference& reference) {
  const std::map<std::string, int64_t> values = ParameterValueMap(reference);
  TUNE_RETURN_IF_ERROR(CheckParameters(scop, values));
  IslContext context;
  TUNE_ASSIGN_OR_RETURN(const std::shared_ptr<const ParsedScop> parsed, ParseScop(context, scop));
  TUNE_ASSIGN_OR_RETURN(std::string code, PrintOpenMpBlock(context, parsed->schedule, *parsed, values));
  return HostProgram(std::move(code));
}

}  // namespace tune
