#include "common/transform/sum_kernels.h"

#include <algorithm>

#include "common/schedule/band_order.h"
#include "common/schedule/member_unskewing.h"

namespace tune {

absl::StatusOr<ScheduledSums> ScheduleSums(AnalysedScop& analysed,
                                           const std::map<std::string, int64_t>& values,
                                           const ScheduleOptions& options) {
  IslContext& context = analysed.context();
  const ParsedScop& scop = analysed.scop();
  ScheduledSums sums;
  TUNE_ASSIGN_OR_RETURN(sums.schedule, analysed.Schedule(options));
  TUNE_ASSIGN_OR_RETURN(sums.schedule, UnskewMembers(context, sums.schedule));
  TUNE_ASSIGN_OR_RETURN(sums.schedule, OrderBandMembers(context, sums.schedule, scop));
  TUNE_ASSIGN_OR_RETURN(sums.scheduled, SelectKernels(context, sums.schedule, scop, analysed.dependences(),
                                                      values, InnerReductions::kAreKernels));
  return sums;
}

void ForEachSum(const ScheduledScop& scheduled,
                const std::function<void(const Kernel&, const isl::schedule_node_band&)>& visit) {
  size_t next = 0;
  scheduled.tree.root().foreach_descendant_top_down([&](const isl::schedule_node& node) {
    if (!node.isa<isl::schedule_node_mark>() || next >= scheduled.kernels.size()) return true;
    const Kernel& kernel = scheduled.kernels[next++];
    if (kernel.reduction && kernel.host_depth == 0 && kernel.bands.size() == 1 &&
        kernel.bands[0].permutable && node.child(0).isa<isl::schedule_node_band>())
      visit(kernel, node.child(0).as<isl::schedule_node_band>());
    return false;
  });
}

bool AddsWithoutReading(const ParsedStatement& statement) {
  return statement.proto->update() == v1::ADD && !statement.target().of_data &&
         std::count_if(statement.accesses.begin(), statement.accesses.end(), [&](const ParsedAccess& access) {
           return access.array == statement.target().array;
         }) == 1;
}

}  // namespace tune
