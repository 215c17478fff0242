// What carving makes of a study's inspected configurations.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/base/status.h"
#include "common/carving/carving.h"
#include "tune/v1/device.pb.h"
#include "tune/v1/inspection.pb.h"
#include "tune/v1/study.pb.h"

namespace tune {

struct CarvingVerdict {
  bool removed = false;
  std::string reason;         // one sentence with figures: why, or why it is kept
  std::optional<int64_t> by;  // index of the inspection that surpasses it
  bool on_front = false;      // surpassed by none, whatever the margin
  TradeOff metrics;           // 0 where they are not known
};

// Immutable. What cannot be built is removed; what nothing is known of is kept.
class CarvingJudge {
 public:
  // `surveyed`: among which carving chooses. FAILED_PRECONDITION: a limit of bandwidth for a device that does
  // not tell its clock or its memory's; INVALID_ARGUMENT as Carve.
  static absl::StatusOr<CarvingJudge> Make(const v1::CarveOptions& options, const v1::Device& device,
                                           std::vector<v1::Inspection> surveyed);

  // Of each of those, in their order.
  const std::vector<CarvingVerdict>& verdicts() const { return verdicts_; }
  // Of another one, beside them. Which others there are makes no difference.
  CarvingVerdict VerdictOn(const v1::Inspection& other) const;
  // Positions among those of what is kept, in an order of measuring it (BestFirst); last what nothing is
  // known of.
  const std::vector<size_t>& kept_best_first() const { return kept_; }

 private:
  CarvingJudge() = default;
  absl::Status Judge(const std::vector<v1::Inspection>& surveyed);

  CarvingOptions options_;
  std::vector<StaticMetrics> known_;  // of those with kernels
  std::vector<CarvingVerdict> verdicts_;
  std::vector<size_t> kept_;
};

}  // namespace tune
