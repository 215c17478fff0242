#include "worker/codegen/symbolic_program.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "common/isl/ast.h"
#include "common/isl/bounds.h"
#include "common/program/helper_names.h"
#include "worker/codegen/fewer_launches.h"
#include "worker/codegen/mapped_plan.h"
#include "worker/codegen/size_classes.h"
#include "worker/codegen/symbolic_plan.h"
#include "worker/codegen/whole_rows.h"
#include "worker/lower/device_arrays.h"
#include "worker/lower/expression_lowering.h"
#include "worker/print/cuda_program_printer.h"
#include "worker/print/merged_kernel_printer.h"

namespace tune {
namespace {

// Parameters are no larger. Iterators are `int`, also where they are sums of some; where launches might have
// more blocks than CUDA allows, the second bound is tried.
constexpr int64_t kMostOfParameter[] = {1 << 24, 1 << 15};

// A plan, its mapping and the program that is made of it.
struct MappedSymbols {
  std::shared_ptr<const SymbolicPlans> plans;
  CudaPlan plan;
  std::unique_ptr<MappedPlan> mapped;
  DeviceProgram device;
  std::map<std::string, int64_t> least;  // SizeClass::least; empty: it is for any
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
  bool fit = true;
  for (const MergedLaunch* merged : MergedLaunchesOf(program))
    fit = fit && !merged->tiles && (merged->joined || merged->blocks == 1);
  if (!fit) return absl::InvalidArgumentError("one launch of many blocks needs values of parameters");
  for (const DeviceKernel& kernel : program.kernels)
    if (kernel.linear_grid)
      return absl::InvalidArgumentError("a launch may have more blocks along y or z than CUDA allows");
  for (const DeviceArray& array : program.arrays)
    if (array.texture) return absl::InvalidArgumentError("texture objects need values of parameters");
  return absl::OkStatus();
}

using SharedPlans = absl::StatusOr<std::shared_ptr<const SymbolicPlans>>;

// For each of kMostOfParameter, as they are asked for.
class PlansByBound {
 public:
  PlansByBound(const v1::Scop& scop, const CudaSpaceOptions& options) : scop_(scop), options_(options) {}

  const SharedPlans& Of(size_t bound) {
    std::optional<SharedPlans>& plans = plans_.at(bound);
    if (!plans) plans = SymbolicPlans::Make(scop_, options_, kMostOfParameter[bound]);
    return *plans;
  }

 private:
  const v1::Scop& scop_;
  const CudaSpaceOptions& options_;
  std::array<std::optional<SharedPlans>, std::size(kMostOfParameter)> plans_;
};

absl::StatusOr<MappedSymbols> MapAbout(const SharedPlans& plans, const CudaSpaceOptions& options,
                                       const SizeClass& sizes,
                                       const std::map<std::string, int64_t>& row_divisors) {
  TUNE_RETURN_IF_ERROR(plans.status());
  MappedSymbols made;
  made.plans = *plans;
  TUNE_ASSIGN_OR_RETURN(made.plan, made.plans->PlanAbout(sizes.typical));
  if (sizes.least > 0) {
    TUNE_ASSIGN_OR_RETURN(made.least, made.plans->ValuesAbout(sizes.least));
  }
  const ParsedScop& scop = made.plans->scop();
  TUNE_ASSIGN_OR_RETURN(std::vector<DeviceArray> arrays,
                        NamedDeviceArrays(scop, ChooseHelperNames(scop.proto), row_divisors));
  TUNE_ASSIGN_OR_RETURN(made.mapped, MapPlan(made.plan, options));
  TUNE_ASSIGN_OR_RETURN(made.device, LowerMapped(made.plan, options, *made.mapped, std::move(arrays)));
  TUNE_RETURN_IF_ERROR(CheckForm(made.device));
  return made;
}

// Of one scop, for rows of any length or for whole ones, by typical sizes.
using ProgramsBySize = std::map<int64_t, MappedSymbols>;

// Those that can be made; errors go to `status`.
ProgramsBySize MapClasses(const v1::Scop& scop, const CudaSpaceOptions& options,
                          const std::vector<int64_t>& typical,
                          const std::map<std::string, int64_t>& row_divisors, absl::Status* status) {
  ProgramsBySize programs;
  PlansByBound plans(scop, options);
  const auto widest = plans.Of(0);
  status->Update(widest.status());
  if (!widest.ok()) return programs;
  for (const SizeClass& sizes : ClassesOf(**widest, typical, status)) {
    absl::StatusOr<MappedSymbols> made = MapAbout(plans.Of(0), options, sizes, row_divisors);
    if (absl::IsInvalidArgument(made.status())) made = MapAbout(plans.Of(1), options, sizes, row_divisors);
    status->Update(made.status());
    if (made.ok() && !made->device.kernels.empty()) programs.emplace(sizes.typical, *std::move(made));
  }
  return programs;
}

// The largest value that a function of launches, { K[h] -> [v] }, has in any of them, of the parameters.
IndexExpression Largest(const isl::pw_aff& function) {
  const isl::pw_aff largest = DimensionMax(function.as_map().range(), 0);
  return ExpressionLowering({}).Lower(MakeBuild(largest.domain().params(), {}).expr_from(largest));
}

// Of the numbers of blocks along all axes, at values of parameters; 0 where some have none.
int64_t BlocksAt(const std::vector<IndexExpression>& blocks, const std::map<std::string, int64_t>& values) {
  int64_t product = 1;
  for (const IndexExpression& along : blocks) {
    std::set<std::string> names;
    CollectNames(along, &names);
    for (const std::string& name : names)
      if (values.count(name) == 0) return 0;
    product *= Evaluate(along, [&](const std::string& name) { return values.at(name); });
  }
  return product;
}

absl::StatusOr<SymbolicProgram> ToText(MappedSymbols made) {
  SymbolicProgram program;
  TUNE_RETURN_IF_ERROR(made.plans->context().Run("requirements of sizes", [&]() -> absl::Status {
    const isl::set& required = made.plans->scop().context;
    const isl::ast_build build = MakeBuild(isl::set::universe(required.space()), {});
    program.requirement = ExpressionLowering({}).Lower(build.expr_from(required));
    for (const MappedKernel& kernel : made.mapped->program.kernels) {
      std::vector<IndexExpression>& blocks = program.most_blocks.emplace_back();
      for (size_t axis = 0; axis < kernel.first_block.size(); ++axis) {
        const isl::pw_aff beyond = kernel.last_block[axis].sub(kernel.first_block[axis]);
        blocks.push_back(Largest(beyond) + IndexExpression::Constant(1));
      }
      program.least_blocks.push_back(made.least.empty() ? 0 : BlocksAt(blocks, made.least));
    }
    return absl::OkStatus();
  }));
  const v1::Scop& proto = made.mapped->scop->proto;
  CudaProgram printed = PrintCudaProgram(made.device, proto, ChooseHelperNames(proto));
  program.kernels = std::move(printed.kernels);
  program.launched = std::move(printed.facts);
  program.alignments = std::move(printed.alignments);
  program.device = std::move(made.device);
  return program;
}

// Of kernels and of launches of several.
void NameFunctions(const std::string& prefix, DeviceProgram* program) {
  for (size_t i = 0; i < program->kernels.size(); ++i)
    program->kernels[i].function = absl::StrCat(prefix, "_kernel", i);
  int merged = 0;
  ForEachNode(program->host, [&](Node& node) {
    if (auto* const launch = node.As<MergedLaunch>())
      launch->function = absl::StrCat(prefix, "_kernels", merged++);
  });
}

// Whether one program is no other than one of `others`.
bool IsAmong(const std::vector<DeviceProgram>& others, const DeviceProgram& program) {
  return std::find(others.begin(), others.end(), program) != others.end();
}

}  // namespace

absl::StatusOr<std::vector<SymbolicProgram>> GenerateSymbolic(const v1::Scop& scop,
                                                              const CudaSpaceOptions& options,
                                                              const std::vector<int64_t>& typical,
                                                              const std::string& name) {
  TUNE_RETURN_IF_ERROR(CheckNames(scop));
  absl::Status first_error;
  ProgramsBySize any = MapClasses(scop, options, typical, {}, &first_error);
  ProgramsBySize whole = MapClasses(WithWholeRows(scop), options, typical, RowDivisors(scop), &first_error);
  std::vector<SymbolicProgram> programs;
  std::vector<DeviceProgram> known;
  std::shared_ptr<const SymbolicPlans> plans;
  const auto add = [&](MappedSymbols made) {
    if (!made.least.empty() && IsAmong(known, made.device)) return;
    known.push_back(made.device);
    plans = made.plans;
    NameFunctions(absl::StrCat(name, programs.size()), &made.device);
    absl::StatusOr<SymbolicProgram> program = ToText(std::move(made));
    first_error.Update(program.status());
    if (!program.ok()) return;
    program->processors = options.device.multiprocessors;
    programs.push_back(*std::move(program));
  };
  for (const int64_t size : typical) {
    const auto of_any = any.find(size), of_whole = whole.find(size);
    if (of_whole != whole.end() &&
        (of_any == any.end() || AlignmentsOf(of_whole->second.device) != AlignmentsOf(of_any->second.device)))
      add(std::move(of_whole->second));
    if (of_any != any.end()) add(std::move(of_any->second));
  }
  if (programs.empty() && !first_error.ok()) return first_error;
  // Without it they are right, too.
  if (plans != nullptr) PreferFewerLaunches(*plans, options.device, &programs).IgnoreError();
  return programs;
}

}  // namespace tune
