#include "common/transform/innermost_loops.h"

#include <algorithm>

#include "common/kernel/trip_count.h"

namespace tune {

InnermostLoops InnermostLoopsOf(const Kernel& kernel) {
  InnermostLoops loops;
  for (const KernelBand& band : kernel.bands) {
    if (!band.innermost || band.member_count() == 0 || !Repeats(band.trip_counts.back())) continue;
    loops.any = true;
    loops.coincident |= band.coincident.back();
    loops.trip_count = loops.trip_count < 0 || band.trip_counts.back() < 0
                           ? -1
                           : std::max(loops.trip_count, band.trip_counts.back());
  }
  return loops;
}

}  // namespace tune
