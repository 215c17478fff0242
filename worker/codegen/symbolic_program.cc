#include "worker/codegen/symbolic_program.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "common/isl/ast.h"
#include "common/isl/bounds.h"
#include "common/program/helper_names.h"
#include "worker/codegen/fewer_launches.h"
#include "worker/codegen/mapped_plan.h"
#include "worker/codegen/size_classes.h"
#include "worker/codegen/whole_rows.h"
#include "worker/lower/device_arrays.h"
#include "worker/lower/expression_lowering.h"
#include "worker/lower/value_uses.h"
#include "worker/passes/private_elements.h"
#include "worker/print/cuda_program_printer.h"
#include "worker/print/merged_kernel_printer.h"

namespace tune {
namespace {

// Parameters are no larger. Iterators are `int`, also where they are sums of some; where launches might have
// more blocks than CUDA allows, the second bound is tried.
constexpr int64_t kMostOfParameter[] = {1 << 24, 1 << 15};
constexpr int64_t kMostOfVector = 1 << 28;  // the first one where arrays have one dimension at most

int64_t MostOfParameter(const v1::Scop& scop, size_t bound) {
  const bool vectors = std::all_of(scop.arrays().begin(), scop.arrays().end(),
                                   [](const v1::Array& array) { return array.extents_size() <= 1; });
  return bound == 0 && vectors ? kMostOfVector : kMostOfParameter[bound];
}

// A plan, its mapping and the program that is made of it.
struct MappedSymbols {
  std::shared_ptr<const SymbolicPlans> plans;
  CudaPlan plan;
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

absl::StatusOr<MappedSymbols> MapAt(const SharedPlans& plans, const CudaSpaceOptions& options,
                                    const SymbolicForm& form, const SizeValues& sizes,
                                    const std::map<std::string, int64_t>& row_divisors) {
  TUNE_RETURN_IF_ERROR(plans.status());
  MappedSymbols made;
  made.plans = *plans;
  TUNE_ASSIGN_OR_RETURN(made.plan, made.plans->PlanAt(sizes));
  const ParsedScop& scop = made.plans->scop();
  std::vector<DeviceArray> arrays = NamedDeviceArrays(scop, ChooseHelperNames(scop.proto), row_divisors);
  TUNE_ASSIGN_OR_RETURN(made.mapped, MapPlan(made.plan, options));
  TUNE_ASSIGN_OR_RETURN(made.device, LowerMapped(made.plan, options, *made.mapped, std::move(arrays)));
  if (form.change) TUNE_RETURN_IF_ERROR(form.change(&made.device));
  TUNE_RETURN_IF_ERROR(CheckForm(made.device));
  if (made.device.kernels.empty()) return absl::InvalidArgumentError("there is nothing to run");
  return made;
}

// Of rows of any length, or of whole ones.
class ProgramMaker {
 public:
  // `plans`: those of MakeSharedPlans, where they are there.
  ProgramMaker(v1::Scop scop, const CudaSpaceOptions& options, const SymbolicForm& form,
               std::map<std::string, int64_t> row_divisors, std::optional<SharedPlans> plans = {})
      : scop_(std::move(scop)),
        options_(options),
        form_(form),
        row_divisors_(std::move(row_divisors)),
        plans_{std::move(plans)} {}

  // Of MostOfParameter(bound).
  const SharedPlans& Plans(size_t bound) {
    std::optional<SharedPlans>& plans = plans_.at(bound);
    if (!plans) plans = SymbolicPlans::Make(scop_, options_, MostOfParameter(scop_, bound), form_.scop);
    return *plans;
  }

  // The default at these sizes.
  absl::StatusOr<MappedSymbols> At(const SizeValues& sizes) {
    absl::StatusOr<MappedSymbols> made = MapAt(Plans(0), options_, form_, sizes, row_divisors_);
    if (absl::IsInvalidArgument(made.status())) made = MapAt(Plans(1), options_, form_, sizes, row_divisors_);
    return made;
  }

 private:
  const v1::Scop scop_;
  const CudaSpaceOptions& options_;
  const SymbolicForm& form_;
  const std::map<std::string, int64_t> row_divisors_;
  std::array<std::optional<SharedPlans>, std::size(kMostOfParameter)> plans_;  // that were asked for
};

// The largest value that a function of launches, { K[h] -> [v] }, has in any of them, of the parameters.
IndexExpression Largest(const isl::pw_aff& function) {
  const isl::pw_aff largest = DimensionMax(function.as_map().range(), 0);
  return ExpressionLowering({}).Lower(MakeBuild(largest.domain().params(), {}).expr_from(largest));
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
    }
    return absl::OkStatus();
  }));
  const v1::Scop& proto = made.mapped->scop->proto;
  TUNE_ASSIGN_OR_RETURN(const ValueUses uses, FindValueUses(made.plans->context(), made.plans->scop(),
                                                            made.plans->analysed().dependences()));
  ContractPrivateElements(proto, uses, &made.device);
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

// Makes the programs of classes, one class after the other.
class ProgramsOfClasses {
 public:
  ProgramsOfClasses(const v1::Scop& scop, const CudaSpaceOptions& options, const SymbolicForm& form,
                    const std::string& name, const SharedPlans& plans)
      : any_(scop, options, form, {}, plans),
        whole_(WithWholeRows(scop), options, form, RowDivisors(scop)),
        name_(name) {}

  // Of the next class, whose defaults are those at `sizes`. The number of the class whose programs they are,
  // which may be an earlier one; -1: there are none.
  int Add(const SizeValues& sizes) {
    absl::StatusOr<MappedSymbols> any = any_.At(sizes), whole = whole_.At(sizes);
    first_error_.Update(any.status());
    if (any.ok()) {
      const auto same = std::find(known_.begin(), known_.end(), any->device);
      if (same != known_.end()) return known_classes_[static_cast<size_t>(same - known_.begin())];
      known_.push_back(any->device);
      known_classes_.push_back(count_);
    }
    bool added = false;
    if (whole.ok() && (!any.ok() || AlignmentsOf(whole->device) != AlignmentsOf(any->device)))
      added = Add(*std::move(whole));
    if (any.ok()) added = Add(*std::move(any)) || added;
    return added ? count_++ : -1;
  }

  int count() const { return count_; }
  const absl::Status& first_error() const { return first_error_; }
  std::vector<SymbolicProgram> TakePrograms() { return std::move(programs_); }

 private:
  bool Add(MappedSymbols made) {
    NameFunctions(absl::StrCat(name_, programs_.size()), &made.device);
    absl::StatusOr<SymbolicProgram> program = ToText(std::move(made));
    first_error_.Update(program.status());
    if (!program.ok()) return false;
    program->size_class = count_;
    programs_.push_back(*std::move(program));
    return true;
  }

  ProgramMaker any_, whole_;  // rows
  const std::string name_;
  absl::Status first_error_;
  int count_ = 0;  // of the classes
  std::vector<SymbolicProgram> programs_;
  std::vector<DeviceProgram> known_;  // for any rows
  std::vector<int> known_classes_;    // parallel
};

// For each cell its class among those that have programs, or that of the nearest cell that has one: by the
// class that the cells have, and which of those with programs that is, or -1.
std::vector<int> ClassesOfCells(const SizeClasses& classes, const std::vector<int>& with_programs) {
  const auto own = [&](size_t cell) {
    const int of_cell = classes.cells[cell].size_class;
    return of_cell < 0 || static_cast<size_t>(of_cell) >= with_programs.size()
               ? -1
               : with_programs[static_cast<size_t>(of_cell)];
  };
  std::vector<int> of_cells;
  for (size_t cell = 0; cell < classes.cells.size(); ++cell) {
    int nearest = own(cell);
    size_t least = SIZE_MAX;
    for (size_t other = 0; own(cell) < 0 && other < classes.cells.size(); ++other) {
      const size_t distance = classes.grid.Distance(cell, other);
      if (own(other) < 0 || distance >= least) continue;
      nearest = own(other);
      least = distance;
    }
    of_cells.push_back(nearest);
  }
  return of_cells;
}

// Leaves out programs that are nowhere the best ones.
void KeepBest(SymbolicPrograms* made) {
  auto& programs = made->programs;
  programs.erase(std::remove_if(programs.begin(), programs.end(),
                                [&](const SymbolicProgram& program) {
                                  return std::find(made->classes.begin(), made->classes.end(),
                                                   program.size_class) == made->classes.end();
                                }),
                 programs.end());
}

}  // namespace

SharedPlans MakeSharedPlans(const v1::Scop& scop, const CudaSpaceOptions& options, const ScopForm& form) {
  return SymbolicPlans::Make(scop, options, MostOfParameter(scop, 0), form);
}

absl::StatusOr<SymbolicPrograms> GenerateSymbolic(const v1::Scop& scop, const CudaSpaceOptions& options,
                                                  const SizeGrid& grid, const std::string& name,
                                                  const SymbolicForm& form) {
  TUNE_RETURN_IF_ERROR(CheckNames(scop));
  return GenerateSymbolic(scop, options, grid, name, MakeSharedPlans(scop, options, form.scop), form);
}

absl::StatusOr<SymbolicPrograms> GenerateSymbolic(const v1::Scop& scop, const CudaSpaceOptions& options,
                                                  const SizeGrid& grid, const std::string& name,
                                                  const SharedPlans& plans, const SymbolicForm& form) {
  TUNE_RETURN_IF_ERROR(CheckNames(scop));
  TUNE_RETURN_IF_ERROR(plans.status());
  ProgramsOfClasses maker(scop, options, form, name, plans);
  absl::Status of_cells;
  const SizeClasses classes = FindClasses(**plans, grid, &of_cells, form.values);
  std::vector<int> with_programs;
  for (const size_t typical : classes.typical) {
    if (maker.count() == form.most_classes) break;
    with_programs.push_back(maker.Add(classes.cells[typical].sizes));
  }
  if (maker.count() == 0) return maker.first_error().ok() ? of_cells : maker.first_error();
  SymbolicPrograms made{maker.TakePrograms(), grid, ClassesOfCells(classes, with_programs),
                        options.device.multiprocessors};
  PreferFewerLaunches(options.device, classes.cells, &made);
  KeepBest(&made);
  return made;
}

}  // namespace tune
