// Kernels of sums outside of the host's loops, for transformations that divide or join sums.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "common/kernel/kernel.h"
#include "common/schedule/analysed_scop.h"

namespace tune {

// A schedule with the kernels that it has where sums are kernels of their own.
struct ScheduledSums {
  isl::schedule schedule;
  std::shared_ptr<const ScheduledScop> scheduled;
};

// Of the schedule that these options make, at the `values` of the parameters. Errors: those of
// IslContext::Run.
absl::StatusOr<ScheduledSums> ScheduleSums(AnalysedScop& analysed,
                                           const std::map<std::string, int64_t>& values,
                                           const ScheduleOptions& options = {});

// Calls `visit` for each kernel that adds something up in loops of one permutable band, with that band, and
// that no loop of the host runs. Throws isl::exception.
void ForEachSum(const ScheduledScop& scheduled,
                const std::function<void(const Kernel& kernel, const isl::schedule_node_band& band)>& visit);

// Whether the statement adds to its target, whose array is in no other access of it.
bool AddsWithoutReading(const ParsedStatement& statement);

}  // namespace tune
