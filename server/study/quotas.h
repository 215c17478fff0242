// What one owner may have of a server.
#pragma once

#include <cstdint>
#include <string>

#include "common/base/status.h"

namespace tune {

// 0: as much as there is.
struct Quotas {
  int64_t studies = 1000;                // that have not ended
  int64_t evaluations = 1'000'000;       // that those are still to make
  int64_t bytes = int64_t{64} << 30;     // of programs and specs in the database, imported ones too
  int64_t device_seconds = 10 * 86'400;  // of leases, in the last 24 hours
};

// In the same terms: what an owner has, or wants besides.
struct Usage {
  int64_t studies = 0;
  int64_t evaluations = 0;
  int64_t bytes = 0;
  int64_t device_seconds = 0;
};

// RESOURCE_EXHAUSTED when the owner has used a quota up, or would with what it wants; says which, and what to
// do.
absl::Status CheckQuotas(const Quotas& quotas, const std::string& owner, const Usage& has,
                         const Usage& wants);

}  // namespace tune
