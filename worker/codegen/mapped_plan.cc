#include "worker/codegen/mapped_plan.h"

#include "common/program/helper_names.h"
#include "worker/check/mapping_check.h"
#include "worker/check/program_check.h"
#include "worker/codegen/cuda_passes.h"
#include "worker/mapping/at_values.h"

namespace tune {
namespace {

CudaIds IdsOf(const ParsedScop& scop) {
  const HelperNames names = ChooseHelperNames(scop.proto);
  return {names.host, names.block, names.thread};
}

}  // namespace

absl::StatusOr<std::unique_ptr<MappedPlan>> MapPlan(const CudaPlan& plan, const CudaSpaceOptions& options,
                                                    const TreeTexts& trees, const TreeHook& observer) {
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

absl::StatusOr<DeviceProgram> LowerMapped(const CudaPlan& plan, const CudaSpaceOptions& options,
                                          const MappedPlan& mapped, std::vector<DeviceArray> arrays,
                                          bool origins) {
  IslContext& context = plan.schedules->context();
  return context.Run("code generation", [&]() -> absl::StatusOr<DeviceProgram> {
    return MakeDeviceProgram(context, plan, options, mapped.program, *mapped.scop, std::move(arrays),
                             ChooseHelperNames(plan.schedules->scop().proto), origins);
  });
}

absl::Status CheckMapped(const CudaPlan& plan, const MappedPlan& mapped, const DeviceProgram& program) {
  IslContext& context = plan.schedules->context();
  const std::map<std::string, int64_t>& values = plan.schedules->parameter_values();
  const absl::Status mapping =
      CheckMapping(context, mapped.program, *mapped.scop, plan.schedules->dependences(), values,
                   IdsOf(plan.schedules->scop()));
  if (!mapping.ok() && !absl::IsResourceExhausted(mapping)) return mapping;
  TUNE_RETURN_IF_ERROR(CheckProgram(context, program, mapped.program, *mapped.scop, values,
                                    ChooseHelperNames(plan.schedules->scop().proto)));
  return mapping;
}

}  // namespace tune
