#include "common/space/schedule_space.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "common/decision/simple_choices.h"
#include "common/dependence/update_order.h"
#include "common/isl/schedule.h"
#include "common/isl/schedule_node.h"
#include "common/isl/sets.h"
#include "common/schedule/band_order.h"
#include "common/schedule/distribution.h"
#include "common/schedule/instances_ahead.h"
#include "common/schedule/joined_consumers.h"
#include "common/schedule/legality.h"
#include "common/schedule/member_shift.h"
#include "common/schedule/member_unskewing.h"
#include "common/schedule/original_schedule.h"
#include "common/schedule/single_instances.h"
#include "common/transform/privatisation/privatisation.h"
#include "common/transform/schedule_options/schedule_options.h"

namespace tune {
namespace {

constexpr char kLevelKey[] = "schedule.level";
constexpr size_t kMostSchedules = 300;  // of O2 and O3, kept
// Of each step with one candidate, whose iteration waits for it: its walk, its code.
constexpr IslContext::Limits kCandidateLimits = {.operations = 20'000'000,
                                                 .processor_time = absl::Seconds(60)};

std::string LevelName(ScheduleLevel level) { return absl::StrCat("O", static_cast<int>(level) + 1); }

// Index of the choice in the cache.
int CacheIndex(const ScheduleChoice& choice) {
  const ScheduleOptions& options = choice.options;
  const int algorithm = options.algorithm == ScheduleOptions::Algorithm::kPluto ? 0 : 1;
  return (choice.join_consumers ? 16 : 0) + algorithm * 8 + (options.parallel_reductions ? 4 : 0) +
         (options.serialize_sccs ? 2 : 0) + (options.maximize_band_depth ? 1 : 0);
}

}  // namespace

struct ScheduleSpace::State {
  State(const IslContext::Limits& limits, std::map<std::string, int64_t> values, InnerReductions reductions,
        bool has_order)
      : context(limits), parameter_values(std::move(values)), reductions(reductions), has_order(has_order) {}

  using Scheduled = absl::StatusOr<std::shared_ptr<const ScheduledScop>>;

  // The chosen schedule with its kernels, computed at most once, also when that fails.
  const Scheduled& Schedule(const ScheduleChoice& choice) {
    std::unique_ptr<Scheduled>& entry = schedules[CacheIndex(choice)];
    if (entry == nullptr) entry = std::make_unique<Scheduled>(Compute(choice));
    return *entry;
  }

  Scheduled Compute(const ScheduleChoice& choice) {
    if (choice.join_consumers) return ComputeJoined(choice.options);
    const absl::StatusOr<isl::schedule> computed = analysed->Schedule(choice.options);
    if (NotFound(computed.status())) return Original();
    TUNE_RETURN_IF_ERROR(computed.status());
    const absl::StatusOr<isl::schedule> finer = Refine(*computed);
    if (finer.ok()) refined[CacheIndex(choice)] = *finer;
    Scheduled scheduled = finer.ok() ? Finish(*finer) : finer.status();
    return NotFound(scheduled.status()) ? Original() : scheduled;
  }

  // That without consumers joined where none can be.
  Scheduled ComputeJoined(const ScheduleOptions& options) {
    const ScheduleChoice choice = {options, /*join_consumers=*/false};
    const Scheduled& apart = Schedule(choice);
    const std::optional<isl::schedule>& schedule = refined[CacheIndex(choice)];
    if (!apart.ok() || !schedule) return apart;
    const auto joined = JoinConsumers(context, *schedule, *scop, dependences);
    if (NotFound(joined.status())) return apart;
    TUNE_RETURN_IF_ERROR(joined.status());
    if (!joined->has_value()) return apart;
    Scheduled scheduled = Finish(**joined);
    return NotFound(scheduled.status()) ? apart : scheduled;
  }

  // isl finds no schedule, or not by the work that is allowed.
  static bool NotFound(const absl::Status& status) {
    return absl::IsInternal(status) || absl::IsResourceExhausted(status);
  }

  // The program's own order with its kernels, computed at most once.
  const Scheduled& Original() {
    if (original == nullptr) original = std::make_unique<Scheduled>(ComputeOriginal());
    return *original;
  }

  Scheduled ComputeOriginal() {
    TUNE_ASSIGN_OR_RETURN(
        const isl::schedule schedule,
        context.Run("scheduling the region as it is written", [&]() -> absl::StatusOr<isl::schedule> {
          return OriginalSchedule(context, *scop, dependences);
        }));
    TUNE_ASSIGN_OR_RETURN(const isl::schedule finer, Refine(schedule));
    return Finish(finer);
  }

  // As Original, with private variables.
  const Scheduled& Written() {
    if (written == nullptr) written = std::make_unique<Scheduled>(ComputeWritten(OriginalSchedule));
    return *written;
  }

  // As Written, each statement in loops of its own, with the products among them.
  const Scheduled& Distributed() {
    if (distributed == nullptr) distributed = std::make_unique<Scheduled>(ComputeDistributed());
    return *distributed;
  }

  Scheduled ComputeDistributed() {
    const auto may_be_product = [](const v1::Statement& statement) {
      return statement.update() == v1::ADD && statement.iterators_size() >= 3;
    };
    const auto& statements = scop->proto.statements();
    if (std::none_of(statements.begin(), statements.end(), may_be_product))
      return absl::FailedPreconditionError("no statement of the region is a product");
    TUNE_ASSIGN_OR_RETURN(const std::shared_ptr<const ScheduledScop> selected,
                          ComputeWritten(DistributedSchedule));
    return context.Run("looking for products", [&]() -> Scheduled {
      auto scheduled = std::make_shared<ScheduledScop>(*selected);
      FindProducts(*scheduled);
      return std::shared_ptr<const ScheduledScop>(std::move(scheduled));
    });
  }

  // Completes the kernels' facts (Kernel::product).
  void FindProducts(ScheduledScop& scheduled) {
    const isl::set values = ParameterValues(context, parameter_values);
    size_t next = 0;
    scheduled.tree.root().foreach_descendant_top_down([&](const isl::schedule_node& node) {
      if (!node.isa<isl::schedule_node_mark>() || next >= scheduled.kernels.size()) return true;
      Kernel& kernel = scheduled.kernels[next++];
      if (kernel.statements.size() != 1 || kernel.bands.size() != 1 || !kernel.bands[0].permutable ||
          !node.child(0).isa<isl::schedule_node_band>() ||
          !node.child(0).child(0).isa<isl::schedule_node_leaf>()) {
        return false;
      }
      const KernelBand& band = kernel.bands[0];
      std::vector<bool> parallel = band.coincident;
      for (size_t m = 0; m < band.privates.size(); ++m) parallel[m] = parallel[m] && band.privates[m].empty();
      kernel.product =
          FindProduct(node.child(0).as<isl::schedule_node_band>(), scop->statement(kernel.statements[0]),
                      *scop, values, band.trip_counts, parallel);
      return false;
    });
  }

  // The kernels of the loops that `make` orders, with what must be private for them to be parallel.
  Scheduled ComputeWritten(isl::schedule (*make)(IslContext&, const ParsedScop&, const Dependences&)) {
    isl::set values;
    TUNE_ASSIGN_OR_RETURN(isl::schedule schedule,
                          context.Run("reading the region's loops", [&]() -> absl::StatusOr<isl::schedule> {
                            values = ParameterValues(context, parameter_values);
                            return make(context, *scop, dependences);
                          }));
    TUNE_ASSIGN_OR_RETURN(schedule, OrderBandMembers(context, schedule, *scop));
    TUNE_RETURN_IF_ERROR(CheckLegal(context, schedule, *scop, dependences));
    std::optional<Privatisation> privatisation;
    const auto relax = [&]() -> absl::StatusOr<isl::schedule> {
      privatisation.emplace(*scop, dependences, values);
      return privatisation->WithCoincidence(schedule);
    };
    TUNE_ASSIGN_OR_RETURN(const isl::schedule relaxed, context.Run("looking for private variables", relax));
    TUNE_ASSIGN_OR_RETURN(const std::shared_ptr<const ScheduledScop> selected,
                          SelectKernels(context, relaxed, *scop, dependences, parameter_values, reductions));
    return context.Run("naming private variables", [&]() -> Scheduled {
      auto scheduled = std::make_shared<ScheduledScop>(*selected);
      privatisation->Complete(*scheduled);
      return std::shared_ptr<const ScheduledScop>(std::move(scheduled));
    });
  }

  // The schedule of these loops.
  Scheduled Schedule(const LoopNest& nest, ScheduleLevel level) {
    std::string text;
    TUNE_ASSIGN_OR_RETURN(
        const isl::schedule built, context.Run("building a schedule", [&]() -> absl::StatusOr<isl::schedule> {
          const isl::schedule schedule = BuildSchedule(AssignedInstances(context, *scop), nest);
          text = absl::StrCat(LevelName(level), IslText(schedule));
          return schedule;
        }));
    if (built_schedules.size() >= kMostSchedules) built_schedules.clear();
    const auto [entry, is_new] = built_schedules.try_emplace(text, absl::UnknownError("not computed"));
    if (is_new) entry->second = FinishBuilt(built, level);
    return entry->second;
  }

  // Threads may share reductions, and there is something else that could share their loops.
  absl::StatusOr<bool> HasReductionsToFuse() {
    if (reductions == InnerReductions::kInKernels) return false;
    return context.Run("looking for reductions", [&]() -> absl::StatusOr<bool> {
      return SetCount(AssignedInstances(context, *scop)) > 1 &&
             !dependences.validity().is_disjoint(CommutingUpdates(context, *scop));
    });
  }

  absl::StatusOr<isl::schedule> Parse(const std::string& tree) {
    const auto without_mark = [](const isl::schedule_node& node) {
      return node.isa<isl::schedule_node_mark>() ? WithoutNode(node) : node;
    };
    absl::StatusOr<isl::schedule> schedule =
        context.Run("reading a schedule tree", [&]() -> absl::StatusOr<isl::schedule> {
          const isl::schedule read(context.ctx(), tree);
          const isl::union_set instances = AssignedInstances(context, *scop);
          if (!read.domain().intersect_params(scop->context).is_subset(instances))
            return absl::InvalidArgumentError("the schedule tree has instances that the region has not");
          const isl::schedule unmarked = read.root().map_descendant_bottom_up(without_mark).schedule();
          return IntersectDomain(unmarked, instances);
        });
    if (absl::IsInternal(schedule.status())) return absl::InvalidArgumentError(schedule.status().message());
    return schedule;
  }

  // The loops of O3 were chosen as they are.
  Scheduled FinishBuilt(const isl::schedule& built, ScheduleLevel level) {
    if (level != ScheduleLevel::kO2) return Finish(built);
    TUNE_ASSIGN_OR_RETURN(const isl::schedule finer, Refine(built));
    return Finish(finer);
  }

  absl::StatusOr<isl::schedule> Refine(isl::schedule schedule) {
    TUNE_ASSIGN_OR_RETURN(schedule, UnskewMembers(context, schedule));
    TUNE_ASSIGN_OR_RETURN(schedule, OrderBandMembers(context, schedule, *scop));
    TUNE_ASSIGN_OR_RETURN(schedule, SingleInstancesBehind(context, schedule, *scop, dependences));
    TUNE_ASSIGN_OR_RETURN(schedule, SingleInstancesAhead(context, schedule, dependences));
    return context.Run("moving loops",
                       [&]() -> absl::StatusOr<isl::schedule> { return WithoutShifts(schedule); });
  }

  Scheduled Finish(const isl::schedule& schedule) {
    TUNE_RETURN_IF_ERROR(CheckLegal(context, schedule, *scop, dependences));
    TUNE_ASSIGN_OR_RETURN(std::shared_ptr<const ScheduledScop> scheduled,
                          SelectKernels(context, schedule, *scop, dependences, parameter_values, reductions));
    for (const std::unique_ptr<Scheduled>& other : schedules) {
      if (other != nullptr && other->ok() && (**other)->fingerprint == scheduled->fingerprint) return *other;
    }
    return scheduled;
  }

  IslContext context;  // first: destroyed after everything that lives in it
  std::shared_ptr<const ParsedScop> scop;
  Dependences dependences;
  std::optional<AnalysedScop> analysed;  // of both
  std::map<std::string, int64_t> parameter_values;
  const InnerReductions reductions;
  const bool has_order;
  bool has_reductions_to_fuse = false;
  std::array<std::unique_ptr<Scheduled>, 32> schedules;
  std::array<std::optional<isl::schedule>, 32> refined;  // their trees, where consumers are not joined
  std::unique_ptr<Scheduled> original, written, distributed;
  std::map<std::string, Scheduled> built_schedules;  // by level and tree
  std::unique_ptr<LevelGroups> groups;
};

ScheduleSpace::ScheduleSpace(std::unique_ptr<State> state) : state_(std::move(state)) {}
ScheduleSpace::~ScheduleSpace() = default;

absl::StatusOr<std::unique_ptr<ScheduleSpace>> ScheduleSpace::Make(
    const v1::Scop& scop, const std::map<std::string, int64_t>& parameter_values,
    const IslContext::Limits& limits, InnerReductions reductions, bool has_order, bool rounding) {
  auto state = std::make_unique<State>(limits, parameter_values, reductions, has_order);
  TUNE_ASSIGN_OR_RETURN(state->scop, ParseScop(state->context, scop));
  TUNE_RETURN_IF_ERROR(state->context.Run("checking the parameter values", [&]() -> absl::Status {
    const isl::set values = ParameterValues(state->context, parameter_values);
    if (!state->scop->context.intersect(values).is_empty()) return absl::OkStatus();
    return absl::InvalidArgumentError(
        absl::StrCat("the parameter values ", IslText(values),
                     " contradict what must hold for the region to be executable: ", scop.context()));
  }));
  const LaterWrites later = has_order ? LaterWrites::kAll : LaterWrites::kNext;
  TUNE_ASSIGN_OR_RETURN(state->dependences,
                        ComputeDependences(state->context, *state->scop, rounding, later));
  state->analysed.emplace(state->context, *state->scop, state->dependences);
  TUNE_ASSIGN_OR_RETURN(state->has_reductions_to_fuse, state->HasReductionsToFuse());
  state->groups = std::make_unique<LevelGroups>(&state->context, state->scop.get(), &state->dependences);
  state->context.set_limits({std::min(limits.operations, kCandidateLimits.operations),
                             std::min(limits.processor_time, kCandidateLimits.processor_time)});
  return std::unique_ptr<ScheduleSpace>(new ScheduleSpace(std::move(state)));
}

absl::StatusOr<std::shared_ptr<const ScheduledScop>> ScheduleSpace::Walk(Chooser& chooser,
                                                                         ScheduleLevel level) {
  if (state_->has_order) return state_->Original();
  if (level == ScheduleLevel::kO1) {
    const auto schedule = [&](const ScheduleChoice& choice) { return state_->Schedule(choice); };
    TUNE_ASSIGN_OR_RETURN(const ScheduleChoice choice,
                          ChooseScheduleOptions(chooser, state_->has_reductions_to_fuse, schedule));
    return state_->Schedule(choice);
  }
  TUNE_RETURN_IF_ERROR(ChooseOption(chooser, kLevelKey, {LevelName(level)}, 0).status());
  state_->groups->Trim();
  const absl::StatusOr<LoopNest> nest = WalkScheduleLevel(chooser, *state_->groups, level);
  if (State::NotFound(nest.status())) return state_->Original();
  TUNE_RETURN_IF_ERROR(nest.status());
  State::Scheduled scheduled = state_->Schedule(*nest, level);
  return State::NotFound(scheduled.status()) ? state_->Original() : scheduled;
}

absl::StatusOr<std::shared_ptr<const ScheduledScop>> ScheduleSpace::Written() { return state_->Written(); }

absl::StatusOr<std::shared_ptr<const ScheduledScop>> ScheduleSpace::Distributed() {
  return state_->Distributed();
}

absl::StatusOr<std::shared_ptr<const ScheduledScop>> ScheduleSpace::Read(const std::string& tree) {
  TUNE_ASSIGN_OR_RETURN(const isl::schedule schedule, state_->Parse(tree));
  return state_->Finish(schedule);
}

ScheduleLevel ScheduleLevelOf(const v1::Configuration& configuration) {
  for (const v1::Decision& decision : configuration.decisions()) {
    if (decision.key() != kLevelKey) continue;
    for (const ScheduleLevel level : {ScheduleLevel::kO2, ScheduleLevel::kO3}) {
      if (decision.option() == LevelName(level)) return level;
    }
  }
  return ScheduleLevel::kO1;
}

absl::StatusOr<ScheduleLevel> ParseScheduleLevel(int level) {
  if (level >= 0 && level <= 3) return static_cast<ScheduleLevel>(std::max(level, 1) - 1);
  return absl::InvalidArgumentError(absl::StrCat("there is no schedule level ", level, "; use 1, 2 or 3"));
}

const ParsedScop& ScheduleSpace::scop() const { return *state_->scop; }
const Dependences& ScheduleSpace::dependences() const { return state_->dependences; }
AnalysedScop& ScheduleSpace::analysed() { return *state_->analysed; }
const std::map<std::string, int64_t>& ScheduleSpace::parameter_values() const {
  return state_->parameter_values;
}
IslContext& ScheduleSpace::context() { return state_->context; }

}  // namespace tune
