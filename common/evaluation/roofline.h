// How near a time is to what the device allows (Williams, Waterman, Patterson: Roofline, CACM 2009).
#pragma once

#include <optional>

#include "tune/v1/study.pb.h"

namespace tune {

struct Roofline {
  enum class Limit { kOperations, kMemory, kCache };

  double bound_seconds = 0;          // no order of the region's work is faster on this device
  Limit limit = Limit::kOperations;  // what the bound comes from
  double amount = 0;  // of that in one execution: operations, or bytes from and to memory or cache
  double peak = 0;    // the most that the device was seen to do of it in a second
};

// The bound of one execution of a region that does `work`; nothing where peaks are unset or 0. Times are of
// executions one after another, so the cache may hold of the data what fits: only the rest has to come from
// memory, and to go there.
std::optional<Roofline> RooflineOf(const v1::RegionWork& work, const v1::Device& device);
// Of the study's region on its device; nothing where either is not known.
std::optional<Roofline> RooflineOf(const v1::Study& study);

// Above this share of the bound a time is to be doubted, not celebrated: compilers drop work whose results
// nobody uses, data stay in caches nearer than the largest, peaks are measured on a busy device.
inline constexpr double kDoubtfulShare = 1.05;

}  // namespace tune
