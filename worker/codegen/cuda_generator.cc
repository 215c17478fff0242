#include "worker/codegen/cuda_generator.h"

#include "absl/strings/str_join.h"
#include "common/array/element_type.h"
#include "common/space/cuda_launches_walk.h"
#include "common/space/cuda_limits.h"
#include "common/tuned/device_interface.h"
#include "worker/check/mapping_check.h"
#include "worker/codegen/cuda_kernel_printer.h"
#include "worker/codegen/launch_plan_printer.h"
#include "worker/codegen/persistent_kernel_printer.h"
#include "worker/codegen/shared_layout.h"
#include "worker/codegen/texture_text.h"
#include "worker/mapping/at_values.h"
#include "worker/mapping/cuda_mapper.h"

namespace tune {
namespace {

// Of the shared memory that a kernel declares: tiles and what its reduction exchanges.
int64_t SharedBytes(const MappedKernel& kernel, const ParsedScop& scop) {
  int64_t exchanged = 0;
  for (const LocalTile& tile : kernel.memory.tiles) {
    const int64_t element = static_cast<int64_t>(ElementSize(scop.array(tile.array).element_type()));
    if (tile.combined_by != v1::NONE) exchanged += kernel.ThreadCount() * element;
  }
  return LayOutShared(kernel, scop).bytes + exchanged;
}

// Makes one kernel of all.
absl::Status MakePersistent(const CudaPlan& plan, const CudaSpaceOptions& options, const ParsedScop& scop,
                            const MappedProgram& mapped, const std::vector<KernelSignature>& signatures,
                            const isl::set& values, const HelperNames& names, CudaProgram* program) {
  int64_t shared = 0;
  for (const MappedKernel& kernel : mapped.kernels) shared += SharedBytes(kernel, scop);
  if (shared > options.max_shared_bytes) {
    return absl::InvalidArgumentError(absl::StrCat("one launch for all kernels would need ", shared,
                                                   " bytes of shared memory in a block, and there are ",
                                                   options.max_shared_bytes));
  }
  PersistentKernel kernel;
  kernel.function = CIdentifier(scop.proto.name()) + "_persistent";
  kernel.threads = CommonThreads(plan);
  if (plan.launches == CudaLaunches::kGrid) {
    // All must be there at once, or the driver refuses the launch.
    kernel.per_processor = std::max<int64_t>(
        1, std::min({kMostThreadsOfBlock / kernel.threads, kBlocksOfMultiprocessor,
                     options.multiprocessor_shared_bytes / (shared + kReservedSharedBytes)}));
    kernel.blocks = kernel.per_processor * options.multiprocessors;
  }
  const PersistentKernelText text = PrintPersistentKernel(kernel, mapped, signatures, values, names);
  absl::StrAppend(&program->kernels, "\n", text.kernel);
  program->plan = text.plan;
  CudaKernelFacts facts{kernel.function, "all kernels", {kernel.threads, 1, 1}};
  facts.cooperative = kernel.blocks > 1;
  program->facts = {facts};
  return absl::OkStatus();
}

CudaIds IdsOf(const ParsedScop& scop) {
  const HelperNames names = ChooseHelperNames(scop.proto);
  return {names.host, names.block, names.thread};
}

// A plan at the values of its parameters, mapped. The program points into the plan.
struct MappedPlan {
  CudaPlan plan;
  std::shared_ptr<const ParsedScop> scop;
  MappedProgram program;
};

// `trees`: in place of those that are made; `observer` sees those that are taken.
absl::StatusOr<std::unique_ptr<MappedPlan>> Map(const CudaPlan& plan, const CudaSpaceOptions& options,
                                                const TreeTexts& trees = {}, const TreeHook& observer = {}) {
  auto mapped = std::make_unique<MappedPlan>();
  TUNE_RETURN_IF_ERROR(plan.schedules->context().Run("setting the parameters", [&]() -> absl::Status {
    mapped->plan = AtValues(plan);
    mapped->scop = StatementsAtValues(plan.schedules->scop(), plan.schedules->parameter_values());
    return absl::OkStatus();
  }));
  TUNE_ASSIGN_OR_RETURN(GivenTrees given, GivenTrees::Parse(plan.schedules->context(), trees));
  const auto take = [&](absl::string_view stage, absl::string_view kernel, const isl::schedule& made) {
    const isl::schedule taken = given.Take(stage, kernel, made);
    return observer ? observer(stage, kernel, taken) : taken;
  };
  absl::StatusOr<MappedProgram> program =
      MapCudaPlan(plan.schedules->context(), mapped->plan, *mapped->scop, options, {},
                  IdsOf(plan.schedules->scop()), trees.empty() ? observer : take);
  if (absl::IsInternal(program.status()) && !trees.empty())
    return absl::InvalidArgumentError(
        absl::StrCat("no program comes of the given trees: ", program.status().message()));
  TUNE_RETURN_IF_ERROR(program.status());
  TUNE_RETURN_IF_ERROR(given.CheckTaken());
  mapped->program = *std::move(program);
  return mapped;
}

absl::Status Check(const CudaPlan& plan, const MappedPlan& mapped) {
  return CheckMapping(plan.schedules->context(), mapped.program, *mapped.scop, plan.schedules->dependences(),
                      plan.schedules->parameter_values(), IdsOf(plan.schedules->scop()));
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
  const HelperNames names = ChooseHelperNames(scop.proto);
  CudaProgram program;
  program.values = plan.schedules->parameter_values();
  // 1. What to allocate, and what to copy.
  TUNE_ASSIGN_OR_RETURN(program.arrays, DeviceArrays(context, scop, reference));
  TUNE_ASSIGN_OR_RETURN(program.transfers, FindTransfers(context, scop, plan.schedules->dependences(),
                                                         plan.schedules->parameter_values(), program.arrays));
  // 2. Launches and threads.
  TUNE_ASSIGN_OR_RETURN(const std::unique_ptr<MappedPlan> at_values, Map(plan, options, trees));
  if (!trees.empty()) TUNE_RETURN_IF_ERROR(Check(plan, *at_values));
  const MappedProgram& mapped = at_values->program;
  return context.Run("code generation", [&]() -> absl::StatusOr<CudaProgram> {
    const bool together = RunsInOneLaunch(plan.launches) && !mapped.kernels.empty();
    program.graph = plan.launches == CudaLaunches::kGraph && !mapped.kernels.empty();
    // 3. Every kernel's text.
    std::vector<KernelSignature> signatures;
    std::set<std::string> macros;
    for (size_t i = 0; i < mapped.kernels.size(); ++i) {
      const std::string function = absl::StrCat(CIdentifier(scop.proto.name()), "_kernel", i);
      TUNE_ASSIGN_OR_RETURN(KernelSignature signature,
                            MakeKernelSignature(mapped.kernels[i], scop, program.arrays, function, together));
      const CudaKernelText text =
          PrintCudaKernel(context, mapped.kernels[i], *at_values->scop, {}, names, &signature);
      absl::StrAppend(&program.kernels, program.kernels.empty() ? "" : "\n", text.text);
      macros.insert(text.macros.begin(), text.macros.end());
      CudaKernelFacts facts{function, mapped.kernels[i].kernel->name, mapped.kernels[i].threads};
      facts.carveout = mapped.kernels[i].plan->carveout;
      if (mapped.kernels[i].plan->opt_in)
        facts.dynamic_shared_bytes = LayOutShared(mapped.kernels[i], scop).bytes;
      program.facts.push_back(std::move(facts));
      signatures.push_back(std::move(signature));
    }
    for (const KernelSignature& signature : signatures) {
      for (const KernelSignature::Array& array : signature.arrays)
        program.arrays[array.array->index].texture |= array.loads == ArrayLoads::kTexture;
    }
    program.kernels.insert(
        0, absl::StrCat(MacroDefinitions(names, macros), TextureFunctions(program.arrays, names.texture)));
    // 4. The order of their launches.
    const isl::set known = ParameterValues(context, {});
    if (!together) {
      program.plan = PrintLaunchPlan(context, mapped, signatures, program.arrays.size(), known, names);
      return std::move(program);
    }
    TUNE_RETURN_IF_ERROR(MakePersistent(plan, options, scop, mapped, signatures, known, names, &program));
    return std::move(program);
  });
}

absl::Status CheckCuda(const CudaPlan& plan, const CudaSpaceOptions& options) {
  TUNE_ASSIGN_OR_RETURN(const std::unique_ptr<MappedPlan> mapped, Map(plan, options));
  return Check(plan, *mapped);
}

absl::StatusOr<std::vector<v1::Finding>> DiagnoseCuda(const CudaPlan& plan, const CudaSpaceOptions& options,
                                                      const v1::Diagnosis& diagnosis,
                                                      const TreeTexts& trees) {
  std::map<std::string, std::vector<v1::Finding>> found = {{"schedule", {}}, {"host", {}},  {"block", {}},
                                                           {"threads", {}},  {"tiles", {}}, {"copies", {}}};
  TUNE_RETURN_IF_ERROR(CheckStages(diagnosis, found));
  const auto observe = [&](absl::string_view stage, absl::string_view kernel, const isl::schedule& tree) {
    const std::string title = TreeTitle(stage, kernel);
    std::vector<v1::Finding>& of_stage = found[std::string(stage)];
    // A kernel whose first way of padding fails is made again.
    if (of_stage.empty() || of_stage.back().title() != title) of_stage.emplace_back().set_title(title);
    of_stage.back().set_text(IndentedText(tree));
    return tree;
  };
  TUNE_ASSIGN_OR_RETURN(const std::unique_ptr<MappedPlan> mapped, Map(plan, options, trees, observe));
  TUNE_RETURN_IF_ERROR(plan.schedules->context().Run("printing", [&]() -> absl::Status {
    observe("schedule", "", plan.scheduled->tree);
    return absl::OkStatus();
  }));
  std::vector<v1::Finding> findings;
  for (const std::string& stage : diagnosis.stages())
    findings.insert(findings.end(), found[stage].begin(), found[stage].end());
  if (!diagnosis.check_mapping()) return findings;
  TUNE_RETURN_IF_ERROR(Check(plan, *mapped));
  v1::Finding& right = findings.emplace_back();
  right.set_title("check of the mapping");
  right.set_text(
      "every instance runs once, blocks of a launch are independent, barriers order the threads of a block,\n"
      "tiles hold what their references read\n");
  return findings;
}

}  // namespace tune
