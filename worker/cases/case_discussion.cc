#include "worker/cases/case_discussion.h"

#include <stdexcept>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/scop/online_identity.h"
#include "common/tuned/device_interface.h"
#include "worker/cases/case_call.h"
#include "worker/cases/measured_registers.h"
#include "worker/cases/online_file.h"
#include "worker/cases/plain_expression.h"

namespace tune {
namespace {

void FillIn(const CaseTree& tree, v1::CaseNode* node) {
  if (!tree.condition) return node->set_leaf(tree.leaf);
  node->set_condition(tree.condition->Text());
  if (!tree.holds.empty()) FillIn(tree.holds[0], node->mutable_holds());
  if (!tree.fails.empty()) FillIn(tree.fails[0], node->mutable_fails());
}

void FillIn(const ProgramCase& one, const ParametricKernel& kernel, const KernelProblem& problem,
            v1::ProgramCase* filled) {
  for (const PolynomialConstraint& condition : one.simplified) filled->add_conditions(condition.Text());
  for (const CaseDecision& decision : one.decisions) {
    const bool accepts = decision.kind == CaseDecision::Kind::kAccept;
    filled->add_decisions(accepts ? absl::StrCat(problem.counters()[decision.counter].name, " suffice")
                                  : problem.strategies()[decision.strategy].name);
  }
  for (size_t i = 0; i < problem.counters().size(); ++i) {
    v1::CaseValue& value = *filled->add_values();
    value.set_counter(problem.counters()[i].name);
    value.set_limit(problem.counters()[i].limit);
    value.set_value(problem.Evaluate(static_cast<int>(i), one.applied).numerator.Text());
  }
  filled->set_function(absl::StrCat(kernel.function, problem.Variant(one.applied).Suffix()));
  filled->set_unknown(one.unknown);
}

absl::StatusOr<DiscussedKernel> Discuss(const KernelProblem& problem, ConsistencySolver& solver) {
  DiscussedKernel discussed;
  TUNE_ASSIGN_OR_RETURN(discussed.cases, OptimizeComprehensively(problem, solver));
  if (discussed.cases.empty()) return absl::InternalError("no case has a solution");
  discussed.tree = MakeCaseTree(problem.Given(), discussed.cases, solver);
  return discussed;
}

// Parallel to the region's kernels; empty where they are to be estimated.
std::vector<VariantRegisters> RegistersOf(const ParametricRegion& region, const std::string& architecture,
                                          std::vector<std::string>* notes) {
  std::vector<VariantRegisters> none(region.kernels.size());
  if (architecture.empty()) return none;
  absl::StatusOr<std::vector<VariantRegisters>> measured = MeasureRegisters(region, architecture);
  if (measured.ok()) return *std::move(measured);
  notes->push_back(
      absl::StrCat(region.scop.name(), ": registers are estimated: ", measured.status().message()));
  return none;
}

// Of wishes with a device.
CudaSpaceOptions OptionsOf(const CaseWishes& wishes) {
  CudaSpaceOptions options;
  options.device = *wishes.device;
  options.exact = wishes.exact;
  return options;
}

// What follows is of wishes with a device. A line of `notes` tells why there are no programs.
SymbolicPrograms ProgramsFor(const ParametricRegion& region, const CaseWishes& wishes,
                             const SharedPlans& plans, std::vector<std::string>* notes) {
  absl::StatusOr<SymbolicPrograms> programs =
      GenerateSymbolic(region.scop, OptionsOf(wishes), DefaultSizeGrid(region.scop),
                       CIdentifier(region.scop.name()) + "_program", plans);
  if (programs.ok()) return *std::move(programs);
  notes->push_back(absl::StrCat(region.scop.name(),
                                ": sizes have no kernels of their own: ", programs.status().message()));
  return {};
}

// Nothing where sums are not split. Where they cannot be, which says nothing of all else, a line of `notes`
// tells why; where there are no plans, ProgramsFor does.
std::optional<SplitPrograms> SplitFor(const ParametricRegion& region, const CaseWishes& wishes,
                                      const SharedPlans& plans, std::vector<std::string>* notes) {
  if (!plans.ok()) return std::nullopt;
  absl::StatusOr<std::optional<SplitPrograms>> split =
      GenerateSplit(plans, region.scop, OptionsOf(wishes), DefaultSizeGrid(region.scop),
                    CIdentifier(region.scop.name()) + "_split");
  if (split.ok()) return *std::move(split);
  notes->push_back(
      absl::StrCat(region.scop.name(), ": sums are not split among blocks: ", split.status().message()));
  return std::nullopt;
}

// What the file has beside kernels of all formats.
struct DeviceParts {
  SymbolicPrograms programs;
  std::optional<SplitPrograms> split;
  std::optional<TimeTiles> tiles;
};

DeviceParts PartsFor(const ParametricRegion& region, const CaseWishes& wishes,
                     std::vector<std::string>* notes) {
  DeviceParts parts;
  if (!wishes.device || wishes.online) return parts;
  const SharedPlans plans = MakeSharedPlans(region.scop, OptionsOf(wishes));
  parts.tiles = FindTimeTiles(region);
  parts.split = SplitFor(region, wishes, plans, notes);
  parts.programs = ProgramsFor(region, wishes, plans, notes);
  return parts;
}

}  // namespace

FeedbackMetrics MetricsOf(const v1::Scop& scop, std::vector<std::string>* notes) {
  absl::StatusOr<FeedbackMetrics> metrics = CountFeedbackMetrics(scop);
  if (metrics.ok()) return *std::move(metrics);
  notes->push_back(absl::StrCat(scop.name(), ": no rules: ", metrics.status().message()));
  return {};
}

absl::StatusOr<std::vector<DiscussedKernel>> DiscussKernels(const ParametricRegion& region,
                                                            const std::string& architecture,
                                                            std::vector<std::string>* notes,
                                                            v1::CaseDiscussion* discussion) {
  discussion->set_region(region.scop.name());
  const std::vector<VariantRegisters> registers = RegistersOf(region, architecture, notes);
  std::vector<DiscussedKernel> kernels;
  ConsistencySolver solver;  // of all kernels, which ask much that is the same
  for (const ParametricKernel& kernel : region.kernels) {
    const KernelProblem problem(kernel, region.scop, registers[kernels.size()]);
    TUNE_ASSIGN_OR_RETURN(kernels.emplace_back(), Discuss(problem, solver));
    v1::KernelDiscussion& filled = *discussion->add_kernels();
    filled.set_name(kernel.name);
    filled.set_function(kernel.function);
    for (const CaseSymbol& symbol : problem.Symbols()) {
      v1::CaseSymbol& one = *filled.add_symbols();
      one.set_name(symbol.name);
      one.set_machine(symbol.machine);
      one.set_meaning(symbol.what);
    }
    for (const ProgramCase& one : kernels.back().cases) FillIn(one, kernel, problem, filled.add_cases());
    FillIn(kernels.back().tree, filled.mutable_tree());
  }
  for (const auto& [array, extent] : region.first_extents)
    (*discussion->mutable_first_extents())[array] = UserText(extent, region.scop);
  return kernels;
}

absl::StatusOr<v1::CaseDiscussion> DiscussCases(const v1::Scop& scop, const CaseWishes& wishes,
                                                std::vector<std::string>* notes) {
  const bool online = wishes.online;
  if (online) TUNE_RETURN_IF_ERROR(CheckOnlineName(scop));
  if (online) TUNE_RETURN_IF_ERROR(CheckOnlineArrays(scop));
  TUNE_ASSIGN_OR_RETURN(const ParametricRegion region,
                        MakeParametricRegion(scop, /*further=*/0, wishes.exact));
  v1::CaseDiscussion discussion;
  TUNE_ASSIGN_OR_RETURN(const std::vector<DiscussedKernel> kernels,
                        DiscussKernels(region, wishes.architecture, notes, &discussion));
  try {
    const CaseEntry entry = online
                                ? MakeOnlineEntry(OnlineIdentity(scop), region, MetricsOf(region.scop, notes))
                                : WholeRegionEntry(region.scop);
    discussion.set_code(CallText(region));
    if (online) discussion.set_after_original(OriginalDoneCall(region));
    const DeviceParts parts = PartsFor(region, wishes, notes);
    discussion.set_device_file(PrintCaseFile(region, kernels, entry, wishes.formats, parts.programs,
                                             parts.tiles ? &*parts.tiles : nullptr,
                                             parts.split ? &*parts.split : nullptr));
  } catch (const std::logic_error& error) {
    return absl::InternalError(absl::StrCat(scop.name(), ": ", error.what()));
  }
  discussion.set_requirement(UserText(region.requirement, scop));
  return discussion;
}

}  // namespace tune
