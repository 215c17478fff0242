#include "common/transform/schedule_options/schedule_options.h"

#include <optional>
#include <set>
#include <utility>

#include "common/decision/offer.h"
#include "common/decision/simple_choices.h"

namespace tune {
namespace {

constexpr int64_t kLongSum = 16384;  // iterations, more than the threads of a block make do with

absl::StatusOr<ScheduleOptions::Algorithm> ChooseAlgorithm(Chooser& chooser) {
  TUNE_ASSIGN_OR_RETURN(const int chosen,
                        ChooseOption(chooser, "schedule.algorithm", {"pluto", "feautrier"}, 0));
  return chosen == 0 ? ScheduleOptions::Algorithm::kPluto : ScheduleOptions::Algorithm::kFeautrier;
}

// Which statements share kernels: each kernel's, with the host loops around it.
std::set<std::pair<int, std::set<std::string>>> Fusion(const ScheduledScop& scheduled) {
  std::set<std::pair<int, std::set<std::string>>> fusion;
  for (const Kernel& kernel : scheduled.kernels)
    fusion.insert({kernel.host_depth, {kernel.statements.begin(), kernel.statements.end()}});
  return fusion;
}

// Whether a long sum that blocks can share in one schedule is in another in a kernel whose blocks cannot.
bool LosesBlocks(const ScheduledScop& before, const ScheduledScop& after) {
  const auto shared = [](const Kernel& kernel) { return kernel.reduction && kernel.reduction->atomic; };
  std::set<std::string> lost;
  for (const Kernel& kernel : before.kernels) {
    if (!shared(kernel)) continue;
    const int64_t trip_count = kernel.bands[0].trip_counts[kernel.reduction->member];
    if (trip_count < 0 || trip_count >= kLongSum)
      lost.insert(kernel.reduction->reduced.begin(), kernel.reduction->reduced.end());
  }
  for (const Kernel& kernel : after.kernels) {
    if (!shared(kernel)) continue;
    for (const std::string& statement : kernel.reduction->reduced) lost.erase(statement);
  }
  return !lost.empty();
}

// A good default where other kernels come of it, unless a sum is left to a single block.
bool FusesByDefault(const ScheduledScop& without, const ScheduledScop& with) {
  return Fusion(without) != Fusion(with) && !LosesBlocks(without, with);
}

// The schedules without and with what `turn_on` changes; nothing where they are equal, or one is not found.
struct ScheduleDifference {
  std::shared_ptr<const ScheduledScop> without, with;
};
std::optional<ScheduleDifference> DifferenceOf(const ScheduleOf& schedule, const ScheduleChoice& off,
                                               const ScheduleChoice& on) {
  const auto without = schedule(off), with = schedule(on);
  if (!without.ok() || !with.ok() || (*without)->fingerprint == (*with)->fingerprint) return std::nullopt;
  return ScheduleDifference{*without, *with};
}

// Asks where it makes a difference.
absl::Status ChooseReductions(Chooser& chooser, const ScheduleOf& schedule, ScheduleChoice* choice) {
  ScheduleChoice counted = *choice;
  counted.options.parallel_reductions = true;
  const auto schedules = DifferenceOf(schedule, *choice, counted);
  if (!schedules) return absl::OkStatus();
  TUNE_ASSIGN_OR_RETURN(choice->options.parallel_reductions,
                        ChooseSwitch(chooser, "schedule.parallel_reductions",
                                     FusesByDefault(*schedules->without, *schedules->with)));
  return absl::OkStatus();
}

// Asks where it makes a difference.
absl::Status ChooseConsumers(Chooser& chooser, const ScheduleOf& schedule, ScheduleChoice* choice) {
  ScheduleChoice joined = *choice;
  joined.join_consumers = true;
  if (!DifferenceOf(schedule, *choice, joined)) return absl::OkStatus();
  const Offer offer = {"schedule.join_consumers", {"on", "off"}, {}, /*unrecorded=*/1};
  TUNE_ASSIGN_OR_RETURN(const int chosen, Ask(chooser, offer, 0));
  choice->join_consumers = chosen == 0;
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<ScheduleChoice> ChooseScheduleOptions(Chooser& chooser, bool has_reductions_to_fuse,
                                                     const ScheduleOf& schedule) {
  ScheduleChoice choice;
  ScheduleOptions& options = choice.options;
  TUNE_ASSIGN_OR_RETURN(options.algorithm, ChooseAlgorithm(chooser));
  TUNE_ASSIGN_OR_RETURN(options.serialize_sccs, ChooseSwitch(chooser, "schedule.serialize_sccs", false));
  if (options.serialize_sccs) return choice;
  TUNE_ASSIGN_OR_RETURN(options.maximize_band_depth,
                        ChooseSwitch(chooser, "schedule.maximize_band_depth", true));
  if (has_reductions_to_fuse) TUNE_RETURN_IF_ERROR(ChooseReductions(chooser, schedule, &choice));
  TUNE_RETURN_IF_ERROR(ChooseConsumers(chooser, schedule, &choice));
  return choice;
}

}  // namespace tune
