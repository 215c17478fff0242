#include "worker/codegen/cuda_generator.h"

#include <algorithm>

#include "absl/strings/str_join.h"
#include "common/program/atomic_update.h"
#include "common/program/helper_names.h"
#include "common/program/program_text.h"
#include "worker/codegen/cuda_passes.h"
#include "worker/codegen/given_program.h"
#include "worker/codegen/mapped_plan.h"
#include "worker/lower/array_transfers.h"
#include "worker/lower/device_arrays.h"
#include "worker/lower/value_uses.h"
#include "worker/passes/private_elements.h"
#include "worker/print/cuda_program_printer.h"

namespace tune {
namespace {

// The one that is given, or else the one that is made.
absl::StatusOr<DeviceProgram> ProgramOf(const CudaPlan& plan, const CudaSpaceOptions& options,
                                        const MappedPlan& mapped, const TreeTexts& trees,
                                        std::vector<DeviceArray> arrays, bool origins) {
  const auto given = trees.find(kProgramStage);
  if (given == trees.end()) return LowerMapped(plan, options, mapped, std::move(arrays), origins);
  return TakeProgram(given->second, plan, options, mapped, std::move(arrays));
}

// Devices before compute capability 6.0 have no atomic sums of doubles.
absl::Status CheckAtomicSums(const v1::Scop& scop, const DeviceFacts& device) {
  if (device.compute_capability_major == 0 || device.HasAtomicAddOfDoubles()) return absl::OkStatus();
  for (const v1::Statement& statement : scop.statements()) {
    if (statement.kind() != v1::Statement::ASSIGN || !IsAtomicUpdate(scop, statement) ||
        TargetType(scop, statement) != v1::ELEMENT_TYPE_DOUBLE)
      continue;
    return absl::FailedPreconditionError(absl::StrCat(
        "line ", statement.line(),
        ": sums of doubles at elements that data decide need a device of compute capability 6.0"));
  }
  return absl::OkStatus();
}

absl::Status CheckStages(const v1::Diagnosis& diagnosis,
                         const std::map<std::string, std::vector<v1::Finding>>& known) {
  for (const std::string& stage : diagnosis.stages()) {
    if (known.count(stage) > 0) continue;
    std::vector<std::string> names;
    for (const auto& [name, trees] : known) names.push_back(name);
    return absl::InvalidArgumentError(
        absl::StrCat("there is no stage \"", stage, "\" on cuda: ", absl::StrJoin(names, ", ")));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<CudaProgram> GenerateCuda(const CudaPlan& plan, const CudaSpaceOptions& options,
                                         const v1::Reference& reference, const TreeTexts& trees) {
  IslContext& context = plan.schedules->context();
  const ParsedScop& scop = plan.schedules->scop();
  const std::map<std::string, int64_t>& values = plan.schedules->parameter_values();
  const HelperNames names = ChooseHelperNames(scop.proto);
  TUNE_RETURN_IF_ERROR(CheckAtomicSums(scop.proto, options.device));
  // 1. What to allocate, and what to copy.
  TUNE_ASSIGN_OR_RETURN(std::vector<DeviceArray> arrays, DeviceArrays(context, scop, reference));
  TUNE_ASSIGN_OR_RETURN(std::vector<ArrayTransfer> transfers,
                        FindTransfers(context, scop, plan.schedules->dependences(), values, arrays));
  // 2. Launches and threads.
  TUNE_ASSIGN_OR_RETURN(const std::unique_ptr<MappedPlan> mapped, MapPlan(plan, options, trees));
  // 3. Kernels and the order of their launches, as data.
  TUNE_ASSIGN_OR_RETURN(DeviceProgram device, ProgramOf(plan, options, *mapped, trees, std::move(arrays),
                                                        /*origins=*/!trees.empty()));
  if (!trees.empty()) TUNE_RETURN_IF_ERROR(CheckMapped(plan, *mapped, device));
  TUNE_ASSIGN_OR_RETURN(const ValueUses uses, FindValueUses(context, scop, plan.schedules->dependences()));
  ContractPrivateElements(mapped->scop->proto, uses, &device);
  // 4. Text.
  CudaProgram program = PrintCudaProgram(device, mapped->scop->proto, names);
  program.transfers = std::move(transfers);
  program.values = values;
  return program;
}

absl::Status CheckCuda(const CudaPlan& plan, const CudaSpaceOptions& options,
                       const v1::Reference& reference) {
  TUNE_ASSIGN_OR_RETURN(std::vector<DeviceArray> arrays,
                        DeviceArrays(plan.schedules->context(), plan.schedules->scop(), reference));
  TUNE_ASSIGN_OR_RETURN(const std::unique_ptr<MappedPlan> mapped, MapPlan(plan, options));
  TUNE_ASSIGN_OR_RETURN(const DeviceProgram device,
                        LowerMapped(plan, options, *mapped, std::move(arrays), /*origins=*/true));
  TUNE_RETURN_IF_ERROR(
      CheckDecisions(plan, mapped->program, *mapped->scop, ChooseHelperNames(mapped->scop->proto), device));
  return CheckMapped(plan, *mapped, device);
}

absl::StatusOr<std::vector<v1::Finding>> DiagnoseCuda(const CudaPlan& plan, const CudaSpaceOptions& options,
                                                      const v1::Reference& reference,
                                                      const v1::Diagnosis& diagnosis,
                                                      const TreeTexts& trees) {
  std::map<std::string, std::vector<v1::Finding>> found = {{"schedule", {}},   {"host", {}},  {"block", {}},
                                                           {"threads", {}},    {"tiles", {}}, {"copies", {}},
                                                           {kProgramStage, {}}};
  TUNE_RETURN_IF_ERROR(CheckStages(diagnosis, found));
  const auto observe = [&](absl::string_view stage, absl::string_view kernel, const isl::schedule& tree) {
    const std::string title = TreeTitle(stage, kernel);
    std::vector<v1::Finding>& of_stage = found[std::string(stage)];
    // A kernel whose first way of padding fails is made again.
    if (of_stage.empty() || of_stage.back().title() != title) of_stage.emplace_back().set_title(title);
    of_stage.back().set_text(IndentedText(tree));
    return tree;
  };
  TUNE_ASSIGN_OR_RETURN(const std::unique_ptr<MappedPlan> mapped, MapPlan(plan, options, trees, observe));
  TUNE_RETURN_IF_ERROR(plan.schedules->context().Run("printing", [&]() -> absl::Status {
    observe("schedule", "", plan.scheduled->tree);
    return absl::OkStatus();
  }));
  const auto& stages = diagnosis.stages();
  const bool tells = std::find(stages.begin(), stages.end(), kProgramStage) != stages.end();
  if (tells || diagnosis.check_mapping()) {
    TUNE_ASSIGN_OR_RETURN(std::vector<DeviceArray> arrays,
                          DeviceArrays(plan.schedules->context(), plan.schedules->scop(), reference));
    TUNE_ASSIGN_OR_RETURN(const DeviceProgram device,
                          ProgramOf(plan, options, *mapped, trees, std::move(arrays), /*origins=*/true));
    if (diagnosis.check_mapping() || trees.count(kProgramStage) > 0)
      TUNE_RETURN_IF_ERROR(CheckMapped(plan, *mapped, device));
    if (tells) {
      v1::Finding& finding = found[kProgramStage].emplace_back();
      finding.set_title(kProgramStage);
      finding.set_text(PrintProgramText(device));
    }
  }
  std::vector<v1::Finding> findings;
  for (const std::string& stage : stages)
    findings.insert(findings.end(), found[stage].begin(), found[stage].end());
  if (!diagnosis.check_mapping()) return findings;
  v1::Finding& right = findings.emplace_back();
  right.set_title("check of the mapping");
  right.set_text(
      "every instance runs once, blocks of a launch are independent, barriers order the threads of a block\n"
      "and what one launch of all kernels runs, tiles hold what their references read, fills and copies are\n"
      "where they should be\n");
  return findings;
}

}  // namespace tune
