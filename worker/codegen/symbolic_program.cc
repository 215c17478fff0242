#include "worker/codegen/symbolic_program.h"

#include <memory>

#include "common/isl/ast.h"
#include "common/isl/bounds.h"
#include "common/program/helper_names.h"
#include "worker/codegen/mapped_plan.h"
#include "worker/codegen/symbolic_plan.h"
#include "worker/lower/device_arrays.h"
#include "worker/lower/expression_lowering.h"
#include "worker/print/cuda_program_printer.h"

namespace tune {
namespace {

// Parameters are no larger. Iterators are `int`, also where they are sums of some; where launches might have
// more blocks than CUDA allows, the second bound is tried.
constexpr int64_t kMostOfParameter[] = {1 << 24, 1 << 15};

// A plan, its mapping and the program that is made of it.
struct MappedSymbols {
  SymbolicPlan plan;
  std::unique_ptr<MappedPlan> mapped;
  DeviceProgram device;
};

// A value of the user's that statements read is told once.
absl::Status CheckNames(const v1::Scop& scop) {
  for (const v1::Parameter& parameter : scop.parameters()) {
    for (const v1::Array& array : scop.arrays()) {
      if (array.name() == parameter.name())
        return absl::InvalidArgumentError(absl::StrCat("statements read the size ", parameter.name()));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckForm(const DeviceProgram& program) {
  bool apart = true;
  ForEachNode(program.host, [&](const Node& node) { apart = apart && node.As<MergedLaunch>() == nullptr; });
  if (!apart) return absl::InvalidArgumentError("one launch for several kernels needs values of parameters");
  for (const DeviceKernel& kernel : program.kernels)
    if (kernel.linear_grid)
      return absl::InvalidArgumentError("a launch may have more blocks along y or z than CUDA allows");
  for (const DeviceArray& array : program.arrays)
    if (array.texture) return absl::InvalidArgumentError("texture objects need values of parameters");
  return absl::OkStatus();
}

absl::StatusOr<MappedSymbols> MapUpTo(const v1::Scop& scop, const CudaSpaceOptions& options, int64_t typical,
                                      int64_t most) {
  MappedSymbols made;
  TUNE_ASSIGN_OR_RETURN(made.plan, MakeSymbolicPlan(scop, options, typical, most));
  const ParsedScop& bounded = made.plan.schedules->scop();
  TUNE_ASSIGN_OR_RETURN(std::vector<DeviceArray> arrays,
                        NamedDeviceArrays(bounded, ChooseHelperNames(bounded.proto)));
  TUNE_ASSIGN_OR_RETURN(made.mapped, MapPlan(made.plan.plan, options));
  TUNE_ASSIGN_OR_RETURN(made.device, LowerMapped(made.plan.plan, options, *made.mapped, std::move(arrays)));
  TUNE_RETURN_IF_ERROR(CheckForm(made.device));
  return made;
}

absl::StatusOr<MappedSymbols> MapSymbols(const v1::Scop& scop, const CudaSpaceOptions& options,
                                         int64_t typical) {
  TUNE_RETURN_IF_ERROR(CheckNames(scop));
  absl::Status status;
  for (const int64_t most : kMostOfParameter) {
    absl::StatusOr<MappedSymbols> made = MapUpTo(scop, options, typical, most);
    if (made.ok() || !absl::IsInvalidArgument(made.status())) return made;
    status = made.status();
  }
  return status;
}

// The largest value that a function of launches, { K[h] -> [v] }, has in any of them, of the parameters.
IndexExpression Largest(const isl::pw_aff& function) {
  const isl::pw_aff largest = DimensionMax(function.as_map().range(), 0);
  return ExpressionLowering({}).Lower(MakeBuild(largest.domain().params(), {}).expr_from(largest));
}

absl::StatusOr<SymbolicProgram> ToText(MappedSymbols made) {
  SymbolicProgram program;
  IslContext& context = made.plan.schedules->context();
  TUNE_RETURN_IF_ERROR(context.Run("requirements of sizes", [&]() -> absl::Status {
    const isl::set& required = made.plan.schedules->scop().context;
    const isl::ast_build build = MakeBuild(isl::set::universe(required.space()), {});
    program.requirement = ExpressionLowering({}).Lower(build.expr_from(required));
    for (const MappedKernel& kernel : made.mapped->program.kernels) {
      std::vector<IndexExpression>& blocks = program.most_blocks.emplace_back();
      for (size_t axis = 0; axis < kernel.first_block.size(); ++axis) {
        const isl::pw_aff beyond = kernel.last_block[axis].sub(kernel.first_block[axis]);
        blocks.push_back(Largest(beyond) + IndexExpression::Constant(1));
      }
    }
    return absl::OkStatus();
  }));
  const v1::Scop& proto = made.mapped->scop->proto;
  CudaProgram printed = PrintCudaProgram(made.device, proto, ChooseHelperNames(proto));
  program.kernels = std::move(printed.kernels);
  program.alignments = std::move(printed.alignments);
  program.device = std::move(made.device);
  return program;
}

}  // namespace

absl::StatusOr<std::vector<SymbolicProgram>> GenerateSymbolic(const v1::Scop& scop,
                                                              const CudaSpaceOptions& options,
                                                              const std::vector<int64_t>& typical,
                                                              const std::string& name) {
  std::vector<SymbolicProgram> programs;
  absl::Status first_error;
  DeviceProgram last;
  for (const int64_t value : typical) {
    absl::StatusOr<MappedSymbols> made = MapSymbols(scop, options, value);
    first_error.Update(made.status());
    if (!made.ok() || made->device.kernels.empty() || made->device == last) continue;
    last = made->device;
    const std::string prefix = absl::StrCat(name, programs.size(), "_kernel");
    for (size_t i = 0; i < made->device.kernels.size(); ++i)
      made->device.kernels[i].function = absl::StrCat(prefix, i);
    absl::StatusOr<SymbolicProgram> program = ToText(*std::move(made));
    first_error.Update(program.status());
    if (program.ok()) programs.push_back(*std::move(program));
  }
  if (programs.empty() && !first_error.ok()) return first_error;
  return programs;
}

}  // namespace tune
