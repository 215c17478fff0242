// What PPCG makes of a study's schedules, as its reference run recorded it: with this the space can be walked
// where there is no PPCG, and everywhere alike.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "common/space/ppcg_space.h"
#include "tune/v1/evaluation.pb.h"

namespace tune {

class PpcgRecord {
 public:
  // INVALID_ARGUMENT when the reference has no such record, or one that PPCG cannot have made.
  static absl::StatusOr<PpcgRecord> Read(const v1::Reference& reference);

  // As PpcgShapes. INTERNAL with PPCG's own failure, or when the schedule is not in the record.
  absl::StatusOr<std::vector<PpcgKernelShape>> Shapes(const PpcgSchedulePlan& schedule) const;

  // Whether PPCG was asked about any schedule but its own: then all walks offer them, else none.
  bool has_builtin_schedules() const { return has_builtin_schedules_; }

 private:
  std::map<std::string, v1::PpcgSchedule> schedules_;  // by key
  bool has_builtin_schedules_ = false;
};

// One entry of the record.
v1::PpcgSchedule RecordPpcgSchedule(const PpcgSchedulePlan& schedule,
                                    const absl::StatusOr<std::vector<PpcgKernelShape>>& shapes);

}  // namespace tune
