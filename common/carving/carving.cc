#include "common/carving/carving.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <tuple>

#include "common/carving/efficiency.h"

namespace tune {
namespace {

absl::Status CheckShare(absl::string_view name, double value) {
  if (std::isfinite(value) && value >= 0) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("carving: ", name, " is ", value, "; give a number from 0"));
}

absl::Status CheckOptions(const CarvingOptions& options) {
  TUNE_RETURN_IF_ERROR(CheckShare("the margin", options.margin));
  TUNE_RETURN_IF_ERROR(CheckShare("the most uncoalesced accesses", options.most_uncoalesced.value_or(0)));
  TUNE_RETURN_IF_ERROR(CheckShare("the most bandwidth", options.most_bandwidth.value_or(0)));
  TUNE_RETURN_IF_ERROR(CheckShare("instructions a second", options.device_instructions_per_second));
  TUNE_RETURN_IF_ERROR(CheckShare("bytes a second", options.device_bytes_per_second));
  if (options.most_bandwidth.has_value() &&
      !(options.device_bytes_per_second > 0 && options.device_instructions_per_second > 0))
    return absl::InvalidArgumentError(
        "carving: a threshold of bandwidth needs the device's instructions and bytes a second");
  if (const double most = options.most_bytes.value_or(1); !std::isfinite(most) || most < 1)
    return absl::InvalidArgumentError(
        absl::StrCat("carving: the most bytes are ", most, " times the least; give a number from 1"));
  return absl::OkStatus();
}

absl::Status CheckMetrics(const StaticMetrics& metrics) {
  for (const KernelMetrics& kernel : metrics.kernels) {
    for (const double value :
         {kernel.instructions, kernel.regions, kernel.threads, kernel.launches, kernel.loaded_bytes,
          kernel.stored_bytes, kernel.moved_bytes, kernel.global_accesses, kernel.uncoalesced_accesses,
          kernel.unknown_accesses, static_cast<double>(kernel.warps_per_block),
          static_cast<double>(kernel.blocks_per_multiprocessor)}) {
      if (!std::isfinite(value) || value < 0)
        return absl::InvalidArgumentError(absl::StrCat("carving: configuration ", metrics.configuration,
                                                       ", kernel ", kernel.kernel, ": ", value,
                                                       " is no count"));
    }
  }
  return absl::OkStatus();
}

// Bytes that would move in the time that its instructions take where nothing waits, of the device's
// bandwidth.
double BandwidthShare(const StaticMetrics& metrics, const CarvingOptions& options) {
  const double executed = ExecutedInstructions(metrics);
  if (executed == 0) return 0;
  return MovedBytes(metrics) / executed * options.device_instructions_per_second /
         options.device_bytes_per_second;
}

// The work of Carve: configurations are removed in place.
class Carver {
 public:
  Carver(const std::vector<StaticMetrics>& configurations, const Multiprocessors& multiprocessors)
      : configurations_(configurations) {
    carving_.removed.resize(configurations.size());
    for (const StaticMetrics& metrics : configurations) {
      const StaticMetrics spread = OnWholeDevice(metrics, multiprocessors);
      carving_.metrics.push_back({Efficiency(spread), Utilization(spread)});
    }
  }

  void RemoveWhatDoesNotFit() {
    for (const size_t i : carving_.Kept()) {
      for (const KernelMetrics& kernel : configurations_[i].kernels) {
        if (kernel.blocks_per_multiprocessor > 0) continue;
        carving_.removed[i] = FailsThreshold{Threshold::kFits, 0, 1, kernel.kernel};
        break;
      }
    }
  }

  // Those with a value above the limit, if there are others. `worst` names the kernel to blame.
  void RemoveAbove(Threshold threshold, double limit,
                   const std::function<double(const StaticMetrics&)>& value) {
    const std::vector<size_t> left = carving_.Kept();
    std::vector<double> values;
    for (const size_t i : left) values.push_back(value(configurations_[i]));
    if (std::all_of(values.begin(), values.end(), [&](double each) { return each > limit; })) return;
    for (size_t i = 0; i < left.size(); ++i) {
      if (values[i] > limit)
        carving_.removed[left[i]] =
            FailsThreshold{threshold, values[i], limit, WorstKernel(configurations_[left[i]], value)};
    }
  }

  double LeastBytes() const {
    double least = std::numeric_limits<double>::infinity();
    for (const size_t i : carving_.Kept()) least = std::min(least, MovedBytes(configurations_[i]));
    return least;
  }

  void RemoveSurpassed(double margin) {
    const std::vector<size_t> left = carving_.Kept();
    std::vector<TradeOff> points;
    for (const size_t i : left) points.push_back(carving_.metrics[i]);
    const std::vector<std::optional<size_t>> by = SurpassedBy(points, margin);
    for (size_t i = 0; i < left.size(); ++i) {
      if (!by[i].has_value()) continue;
      const TradeOff& better = points[*by[i]];
      carving_.removed[left[i]] = IsSurpassed{left[*by[i]], Ratio(better.efficiency, points[i].efficiency),
                                              Ratio(better.utilization, points[i].utilization)};
    }
  }

  Carving Take() { return std::move(carving_); }

 private:
  static double Ratio(double more, double less) {
    return less > 0 ? more / less : std::numeric_limits<double>::infinity();
  }

  // The first of those that have the largest value alone.
  static std::string WorstKernel(const StaticMetrics& metrics,
                                 const std::function<double(const StaticMetrics&)>& value) {
    std::string worst;
    double most = -1;
    for (const KernelMetrics& kernel : metrics.kernels) {
      const double alone = value({metrics.configuration, {kernel}});
      if (alone <= most) continue;
      most = alone;
      worst = kernel.kernel;
    }
    return worst;
  }

  const std::vector<StaticMetrics>& configurations_;
  Carving carving_;
};

}  // namespace

std::vector<size_t> Carving::Kept() const {
  std::vector<size_t> kept;
  for (size_t i = 0; i < removed.size(); ++i) {
    if (!removed[i].has_value()) kept.push_back(i);
  }
  return kept;
}

std::vector<size_t> BestFirst(const Carving& carving) {
  struct Place {
    size_t round = 0;    // how many with the same metrics come before it
    double product = 0;  // of both metrics
    size_t index = 0;
  };
  std::map<std::pair<double, double>, size_t> seen;
  std::vector<Place> places;
  for (const size_t i : carving.Kept()) {
    const TradeOff& metrics = carving.metrics[i];
    const size_t round = seen[{metrics.efficiency, metrics.utilization}]++;
    places.push_back({round, metrics.efficiency * metrics.utilization, i});
  }
  std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
    return std::make_tuple(a.round, -a.product, a.index) < std::make_tuple(b.round, -b.product, b.index);
  });
  std::vector<size_t> order;
  for (const Place& place : places) order.push_back(place.index);
  return order;
}

absl::StatusOr<Carving> Carve(const std::vector<StaticMetrics>& configurations,
                              const CarvingOptions& options) {
  TUNE_RETURN_IF_ERROR(CheckOptions(options));
  for (const StaticMetrics& metrics : configurations) TUNE_RETURN_IF_ERROR(CheckMetrics(metrics));
  Carver carver(configurations, options.multiprocessors);
  carver.RemoveWhatDoesNotFit();
  if (options.most_uncoalesced.has_value())
    carver.RemoveAbove(Threshold::kCoalesced, *options.most_uncoalesced, UncoalescedShare);
  if (options.most_bandwidth.has_value())
    carver.RemoveAbove(Threshold::kBandwidth, *options.most_bandwidth,
                       [&](const StaticMetrics& metrics) { return BandwidthShare(metrics, options); });
  if (options.most_bytes.has_value())
    carver.RemoveAbove(Threshold::kBytes, *options.most_bytes * carver.LeastBytes(), MovedBytes);
  carver.RemoveSurpassed(options.margin);
  return carver.Take();
}

}  // namespace tune
