// Removes configurations of which their static metrics say that they are not worth a measurement (Ryoo et
// al., Program optimization carving for GPU computing, 2008, section 4).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "common/base/status.h"
#include "common/carving/pareto_front.h"
#include "common/carving/static_metrics.h"
#include "common/carving/whole_device.h"

namespace tune {

struct CarvingOptions {
  // Unknown: both metrics are the paper's alone.
  Multiprocessors multiprocessors;
  // A configuration stays that is within so much of being surpassed by none: 0.1 is a tenth.
  double margin = 0;
  // Most uncoalesced accesses among all to global memory, from 0 to 1. No value: this carves nothing.
  std::optional<double> most_uncoalesced = 0;
  // An absolute threshold: the most of the device's memory bandwidth, 1 being all of it, that would be asked
  // for if nothing ever waited. Needs both rates; no value: this carves nothing.
  std::optional<double> most_bandwidth;
  double device_instructions_per_second = 0;  // of single threads, all multiprocessors together
  double device_bytes_per_second = 0;         // of global memory
  // A relative threshold, for work that memory bounds in every form: the most that a configuration moves as a
  // multiple of what the least one does. No value: this carves nothing.
  std::optional<double> most_bytes;
};

enum class Threshold {
  kFits,       // blocks of a kernel that a multiprocessor holds; the least is 1
  kCoalesced,  // CarvingOptions::most_uncoalesced
  kBandwidth,  // CarvingOptions::most_bandwidth
  kBytes,      // CarvingOptions::most_bytes
};

struct FailsThreshold {
  Threshold threshold;
  double value = 0;
  double limit = 0;
  std::string kernel;  // the one that fails most, where thresholds are for kernels
  bool operator==(const FailsThreshold&) const = default;
};

struct IsSurpassed {
  size_t by = 0;  // index of the other configuration, which is kept
  // Of the other one to this one, each more than 1; infinite where this one has none.
  double efficiency_ratio = 1;
  double utilization_ratio = 1;
  bool operator==(const IsSurpassed&) const = default;
};

using RemovalReason = std::variant<FailsThreshold, IsSurpassed>;

struct Carving {
  // Of each configuration, in the order given.
  std::vector<TradeOff> metrics;
  std::vector<std::optional<RemovalReason>> removed;

  std::vector<size_t> Kept() const;  // rising indices
};

// Thresholds first, in the order of Threshold, then the trade-off among what they leave. A threshold other
// than kFits that none of what is left would pass removes nothing: the paper prunes what is not coalesced
// "when configurations that enable coalescing exist". Deterministic; what is kept depends on no order.
// INVALID_ARGUMENT: an option out of its bounds, a metric that is negative or no number.
absl::StatusOr<Carving> Carve(const std::vector<StaticMetrics>& configurations,
                              const CarvingOptions& options);

// What is kept in an order of measuring it: those with the largest product of both metrics first. Of
// configurations with the same metrics, which mostly take the same time (the paper's section 5.2), one comes
// with the first of all, the second one with the second of all, and so on.
std::vector<size_t> BestFirst(const Carving& carving);

// Why it was removed, or that it was kept, as one sentence with the numbers.
std::string Explain(const Carving& carving, const std::vector<StaticMetrics>& configurations, size_t index);

}  // namespace tune
