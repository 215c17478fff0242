// The settings of isl's scheduler.
#pragma once

#include "common/isl/isl.h"

namespace tune {

// Named as in isl's manual.
struct SchedulerSettings {
  bool feautrier = false;       // Feautrier's algorithm, else the one of Pluto
  bool serialize_sccs = false;  // no fusion
  bool maximize_band_depth = false;
  bool whole_component = false;  // fuses all that is connected
  bool coincidence = true;       // outer members are to be coincident, and as many as possible
};

// They belong to the context: sets them, and puts the old ones back at the end.
class ScopedSchedulerSettings {
 public:
  ScopedSchedulerSettings(isl::ctx ctx, const SchedulerSettings& settings);
  ~ScopedSchedulerSettings();
  ScopedSchedulerSettings(const ScopedSchedulerSettings&) = delete;
  ScopedSchedulerSettings& operator=(const ScopedSchedulerSettings&) = delete;

 private:
  isl_ctx* ctx_;
  int algorithm_, serialize_sccs_, maximize_band_depth_, outer_coincidence_, maximize_coincidence_,
      whole_component_;
};

}  // namespace tune
