#include "common/transform/schedule_options/schedule_options.h"

#include <set>
#include <utility>

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

// Asks where it makes a difference.
absl::Status ChooseReductions(Chooser& chooser, const ScheduleOf& schedule, ScheduleOptions* options) {
  ScheduleOptions counted = *options;
  counted.parallel_reductions = true;
  const auto without = schedule(*options), with = schedule(counted);
  if (!without.ok() || !with.ok() || (*without)->fingerprint == (*with)->fingerprint) return absl::OkStatus();
  TUNE_ASSIGN_OR_RETURN(options->parallel_reductions, ChooseSwitch(chooser, "schedule.parallel_reductions",
                                                                   FusesByDefault(**without, **with)));
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<ScheduleOptions> ChooseScheduleOptions(Chooser& chooser, bool has_reductions_to_fuse,
                                                      const ScheduleOf& schedule) {
  ScheduleOptions options;
  TUNE_ASSIGN_OR_RETURN(options.algorithm, ChooseAlgorithm(chooser));
  TUNE_ASSIGN_OR_RETURN(options.serialize_sccs, ChooseSwitch(chooser, "schedule.serialize_sccs", false));
  if (options.serialize_sccs) return options;
  TUNE_ASSIGN_OR_RETURN(options.maximize_band_depth,
                        ChooseSwitch(chooser, "schedule.maximize_band_depth", true));
  if (has_reductions_to_fuse) TUNE_RETURN_IF_ERROR(ChooseReductions(chooser, schedule, &options));
  return options;
}

}  // namespace tune
