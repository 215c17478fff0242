#include "worker/evaluate/cuda_target.h"

#include <algorithm>

#include "common/base/cuda_toolkit.h"
#include "common/base/file.h"
#include "common/base/fingerprint.h"
#include "common/evaluation/architecture.h"
#include "worker/build/compiler_process.h"
#include "worker/build/instruction_mix.h"
#include "worker/build/launch_sequence_flags.h"
#include "worker/evaluate/cuda_compilation.h"
#include "worker/evaluate/device_program.h"
#include "worker/evaluate/device_run.h"
#include "worker/reference/tuned_program.h"

namespace tune {
namespace {

// Of a diagnosis, beside the generator's.
constexpr char kInstructionsStage[] = "instructions";

}  // namespace

CudaTarget::CudaTarget(v1::StudySetup setup, ReferenceData reference, GeneratorPool::Factory make_generator,
                       int generators, const CudaTools& tools)
    : setup_(std::move(setup)),
      reference_(std::move(reference)),
      tools_(tools),
      generators_(std::move(make_generator), generators) {}

absl::StatusOr<GeneratedProgram> CudaTarget::Generate(const v1::Configuration& configuration) {
  return generators_.With<GeneratedProgram>([&](CodeGenerator& generator) {
    const BuildSlots::Hold slot(tools_.slots);
    return generator.Generate(configuration);
  });
}

absl::StatusOr<std::vector<v1::Finding>> CudaTarget::Diagnose(const v1::Configuration& configuration,
                                                              const GeneratedProgram& program,
                                                              const v1::Diagnosis& diagnosis) {
  v1::Diagnosis of_generator = diagnosis;
  auto& stages = *of_generator.mutable_stages();
  const auto others = std::remove(stages.begin(), stages.end(), kInstructionsStage);
  const bool instructions = others != stages.end();
  stages.erase(others, stages.end());
  absl::StatusOr<std::vector<v1::Finding>> findings = generators_.With<std::vector<v1::Finding>>(
      [&](CodeGenerator& generator) { return generator.Diagnose(configuration, of_generator); });
  if (findings.ok() && instructions) TUNE_RETURN_IF_ERROR(FindInstructions(program.cuda, &*findings));
  return findings;
}

absl::Status CudaTarget::FindInstructions(const CudaProgram& program,
                                          std::vector<v1::Finding>* findings) const {
  CompileLimits limits;
  limits.wall = absl::Seconds(setup_.limits().compile_seconds());
  TUNE_ASSIGN_OR_RETURN(const CompileResult ptx, CompileToPtx(setup_, program.kernels, tools_.cubin, limits));
  if (!ptx.ok) return absl::InternalError(absl::StrCat("PTX: ", ptx.message));
  TUNE_ASSIGN_OR_RETURN(const std::string text, ReadFile(ptx.binary));
  for (const InstructionMix& mix : CountInstructions(text)) {
    v1::Finding& finding = findings->emplace_back();
    finding.set_title(absl::StrCat("instructions of ", mix.kernel, " (PTX)"));
    finding.set_text(PrintInstructionMix(mix) + "\n");
  }
  return absl::OkStatus();
}

std::string CudaTarget::BuildKey() const {
  return Fingerprint(absl::StrCat(tools_.cubin->version(), "\n", ArchitectureOf(setup_.device()),
                                  setup_.rounding() == v1::ROUNDING_EXACT ? "\nexact" : ""));
}

absl::StatusOr<BuildResult> CudaTarget::Build(const GeneratedProgram& program, const CompileLimits& limits) {
  const BuildSlots::Hold slot(tools_.slots);
  BuildResult result;
  TUNE_ASSIGN_OR_RETURN(result.compiled, CompileToCubin(setup_, program.cuda.kernels, tools_.cubin, limits));
  if (!result.compiled.ok) return result;
  TUNE_ASSIGN_OR_RETURN(CompileResult sequence,
                        tools_.host->CompileCandidate(program.cuda.launches, LaunchSequenceFlags(), limits));
  v1::CudaCandidate& candidate = result.candidate.cuda;
  candidate.set_cubin(result.compiled.binary);
  candidate.set_launch_sequence(sequence.binary);
  candidate.set_graph(program.cuda.graph);
  if (!sequence.ok) {
    result.compiled = std::move(sequence);
    return result;
  }
  for (const CudaKernelFacts& facts : program.cuda.facts) {
    v1::CudaKernel* kernel = candidate.add_kernels();
    kernel->set_function(facts.function);
    kernel->set_dynamic_shared_bytes(facts.dynamic_shared_bytes);
    kernel->set_cooperative(facts.cooperative);
    if (facts.carveout >= 0) kernel->set_shared_carveout(facts.carveout);
  }
  for (const DeviceArray& array : program.cuda.arrays) {
    v1::CudaArray* memory = candidate.add_arrays();
    memory->set_name(array.scop_name);
    memory->set_bytes(DeviceBytes(array));
    if (!array.texture) continue;
    v1::CudaTexture* texture = candidate.add_textures();
    texture->set_array(candidate.arrays_size() - 1);
    texture->set_element_type(array.type);
  }
  return result;
}

absl::StatusOr<RunOutcome> CudaTarget::Run(const std::vector<BuiltCandidate>& candidates,
                                           const RunLimits& limits) {
  TUNE_ASSIGN_OR_RETURN(const std::vector<v1::RunnerArray> arrays,
                        RunnerArrays(setup_.scop().arrays(), reference_, /*compare_outputs=*/true));
  return RunOnDevice(setup_, reference_, arrays, candidates, limits, tools_.devices);
}

v1::ProgramCheck CudaTarget::CheckProgram(const GeneratedProgram& program, Cancellation* cancellation) {
  const absl::StatusOr<std::string> nvcc = FindNvcc();
  if (!nvcc.ok()) return NotRun(v1::OUTCOME_UNSPECIFIED, nvcc.status().message());
  const absl::StatusOr<TemporaryFolder> folder = TemporaryFolder::Make();
  if (!folder.ok()) return NotRun(v1::OUTCOME_UNSPECIFIED, folder.status().message());
  const absl::StatusOr<CompileResult> object = CompileDeviceFile(
      *nvcc, program.device_file, setup_, folder->path(), CompileLimitsOf(setup_.limits(), cancellation));
  if (!object.ok()) return NotRun(v1::OUTCOME_UNSPECIFIED, object.status().message());
  if (!object->ok) return NotRun(v1::COMPILE, absl::StrCat("nvcc: ", object->message));
  absl::StatusOr<TunedProgram> tuned = ProgramWithDevice(*nvcc, program.code, object->binary);
  if (!tuned.ok()) return NotRun(v1::COMPILE, absl::StrCat("nvcc: ", tuned.status().message()));
  return CheckOnDevice(setup_, tools_, reference_, *std::move(tuned), cancellation);
}

}  // namespace tune
