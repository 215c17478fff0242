#include "common/space/ppcg_record.h"

#include <set>

#include "absl/strings/str_cat.h"

namespace tune {
namespace {

constexpr int kMostShapeSizes = 100;
constexpr int kMostShapes = 10'000;  // kernels of a schedule

bool IsPossible(const v1::PpcgKernelShape& shape) {
  return shape.tile() >= 0 && shape.tile() <= kMostShapeSizes && shape.grid() >= 0 && shape.grid() <= 2 &&
         shape.block() >= 0 && shape.block() <= 3;
}

bool IsPossible(const v1::PpcgSchedule& schedule) {
  if (schedule.key().empty() || schedule.kernels_size() > kMostShapes) return false;
  for (const v1::PpcgKernelShape& shape : schedule.kernels()) {
    if (!IsPossible(shape)) return false;
  }
  return true;
}

}  // namespace

absl::StatusOr<PpcgRecord> PpcgRecord::Read(const v1::Reference& reference) {
  if (reference.ppcg().empty()) {
    return absl::InvalidArgumentError(
        "the reference run has not recorded what ppcg makes of the program; submit it again");
  }
  std::set<std::string> own;
  for (const PpcgSchedulePlan& schedule : PpcgSchedules(nullptr)) own.insert(schedule.Key());
  PpcgRecord record;
  for (const v1::PpcgSchedule& schedule : reference.ppcg()) {
    if (!IsPossible(schedule)) {
      return absl::InvalidArgumentError(absl::StrCat("the reference run has recorded of ppcg's schedule '",
                                                     schedule.key(), "' what ppcg cannot make"));
    }
    record.schedules_[schedule.key()] = schedule;
    record.has_builtin_schedules_ |= own.count(schedule.key()) == 0;
  }
  return record;
}

absl::StatusOr<std::vector<PpcgKernelShape>> PpcgRecord::Shapes(const PpcgSchedulePlan& schedule) const {
  const auto found = schedules_.find(schedule.Key());
  if (found == schedules_.end()) {
    return absl::InternalError(
        absl::StrCat("the reference run has not recorded what ppcg makes of the schedule '", schedule.Key(),
                     "': are server and worker of one version?"));
  }
  const v1::PpcgSchedule& recorded = found->second;
  if (!recorded.failure().empty()) return absl::InternalError(recorded.failure());
  std::vector<PpcgKernelShape> shapes;
  for (const v1::PpcgKernelShape& shape : recorded.kernels())
    shapes.push_back({shape.tile(), shape.grid(), shape.block()});
  return shapes;
}

v1::PpcgSchedule RecordPpcgSchedule(const PpcgSchedulePlan& schedule,
                                    const absl::StatusOr<std::vector<PpcgKernelShape>>& shapes) {
  v1::PpcgSchedule record;
  record.set_key(schedule.Key());
  if (!shapes.ok()) {
    const std::string why(shapes.status().message());
    record.set_failure(why.empty() ? "ppcg failed" : why.substr(0, why.find('\n')));
    return record;
  }
  for (const PpcgKernelShape& shape : *shapes) {
    v1::PpcgKernelShape* kernel = record.add_kernels();
    kernel->set_tile(shape.tile);
    kernel->set_grid(shape.grid);
    kernel->set_block(shape.block);
  }
  return record;
}

}  // namespace tune
