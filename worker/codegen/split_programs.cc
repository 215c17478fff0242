#include "worker/codegen/split_programs.h"

#include <algorithm>
#include <set>
#include <utility>

#include "common/isl/ast.h"
#include "common/transform/kernel_site.h"
#include "worker/codegen/parts_of_blocks.h"
#include "worker/lower/expression_lowering.h"

namespace tune {
namespace {

constexpr int64_t kCounted = 1024;  // of each parameter, where places and terms are counted
constexpr int kMostSplitClasses = 3;

// A split, and where it lives.
struct PlannedSplit {
  std::shared_ptr<const SymbolicPlans> plans;  // of the user's scop
  SymbolicSplit split;
  IndexExpression rows, columns, additions;
};

absl::StatusOr<std::optional<PlannedSplit>> PlanSplit(const SharedPlans& shared, const v1::Scop& scop) {
  PlannedSplit planned;
  TUNE_ASSIGN_OR_RETURN(planned.plans, shared);
  const SymbolicPlans& plans = *planned.plans;
  SizeValues counted;
  for (const v1::Parameter& parameter : scop.parameters())
    if (parameter.factors().empty()) counted[parameter.name()] = kCounted;
  const auto complete = plans.Complete(counted);
  if (!complete.ok())
    return Annotate(complete.status(),
                    absl::StrCat("sizes of ", kCounted, " each, at which terms are counted"));
  TUNE_ASSIGN_OR_RETURN(std::optional<SymbolicSplit> split, SplitAtSymbols(plans.analysed(), *complete));
  if (!split) return std::nullopt;
  TUNE_RETURN_IF_ERROR(plans.context().Run("counting sums", [&]() -> absl::Status {
    const auto lowered = [&](const isl::pw_aff& count) {
      const isl::set known = plans.scop().context;
      const isl::pw_aff simple = count.gist_params(known);
      return ExpressionLowering({}).Lower(MakeBuild(known, {}).expr_from(simple));
    };
    planned.rows = lowered(split->rows);
    planned.columns = lowered(split->columns);
    planned.additions = lowered(split->additions);
    return absl::OkStatus();
  }));
  // What the plans added to the context, they add again to that of the split.
  planned.split = *std::move(split);
  return planned;
}

// The cell's values with those of a part that is no last one.
absl::StatusOr<SizeValues> ValuesOfSplit(const PlannedSplit& planned, const DeviceFacts& device,
                                         SizeValues values) {
  TUNE_ASSIGN_OR_RETURN(values, planned.plans->Complete(std::move(values)));
  SumNest nest = planned.split.nest;
  for (const auto& [count, expression] :
       {std::pair(&nest.row_count, &planned.rows), std::pair(&nest.column_count, &planned.columns),
        std::pair(&nest.count, &planned.additions)}) {
    std::set<std::string> names;
    CollectNames(*expression, &names);
    for (const std::string& name : names)
      if (values.count(name) == 0) return absl::InvalidArgumentError("a size is not known");
    *count = Evaluate(*expression, [&](const std::string& name) { return values.at(name); });
  }
  const SumParts parts = ChooseParts(nest, planned.split.type, device);
  if (!parts.AreThere()) return absl::InvalidArgumentError("sums of these sizes are not split");
  const int64_t size = PartSize(nest.count, parts.ranges);
  values[planned.split.first] = 0;
  values[planned.split.count] = std::min(size, nest.count);
  values[planned.split.parts] = (nest.count + size - 1) / size;
  return values;
}

}  // namespace

absl::StatusOr<std::optional<SplitPrograms>> GenerateSplit(const SharedPlans& plans, const v1::Scop& scop,
                                                           const CudaSpaceOptions& options,
                                                           const SizeGrid& grid, const std::string& name) {
  if (options.exact || options.device.memory_bandwidth <= 0) return std::nullopt;
  TUNE_ASSIGN_OR_RETURN(const std::optional<PlannedSplit> planned, PlanSplit(plans, scop));
  if (!planned) return std::nullopt;
  const SymbolicSplit& split = planned->split;
  SplitPrograms made;
  made.scop = split.scop;
  made.like = planned->plans->scop().statement(split.sum).target().array;
  made.rows = planned->rows;
  made.columns = planned->columns;
  made.additions = planned->additions;
  made.model = ModelOfParts(split.nest, /*terms_apart=*/false, split.type, options.device);
  made.filled = split.nest.filled;
  made.least_places = EnoughInstances(options.device);
  made.many_blocks_too = split.nest.begins_apart;
  SymbolicForm form;
  form.scop = {.further = 3, .has_order = true};
  form.values = [&](size_t cell) { return ValuesOfSplit(*planned, options.device, grid.ValuesAt(cell)); };
  form.change = [&](DeviceProgram* program) {
    return GivePartsToBlocks(split, ChooseHelperNames(split.scop), program);
  };
  form.most_classes = kMostSplitClasses;
  absl::StatusOr<SymbolicPrograms> programs = GenerateSymbolic(split.scop, options, grid, name, form);
  if (absl::IsInvalidArgument(programs.status())) return std::nullopt;
  TUNE_RETURN_IF_ERROR(programs.status());
  made.programs = *std::move(programs);
  return made;
}

}  // namespace tune
