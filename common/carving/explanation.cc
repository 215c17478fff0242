// Sentences for people about what Carve decided.
#include <cmath>

#include "absl/strings/str_format.h"
#include "common/carving/carving.h"

namespace tune {
namespace {

std::string Percent(double share) { return absl::StrFormat("%.4g%%", 100 * share); }

std::string Times(double ratio) {
  return std::isinf(ratio) ? "more" : absl::StrFormat("%.4g times as much", ratio);
}

std::string Sentence(const FailsThreshold& fails) {
  switch (fails.threshold) {
    case Threshold::kFits:
      return absl::StrCat("a multiprocessor has no room for a block of its kernel ", fails.kernel);
    case Threshold::kCoalesced:
      return absl::StrCat(Percent(fails.value),
                          " of its accesses to global memory are not coalesced, most in kernel ",
                          fails.kernel, "; others have at most ", Percent(fails.limit));
    case Threshold::kBandwidth:
      return absl::StrCat("without any wait it would need ", Percent(fails.value),
                          " of the memory bandwidth, most in kernel ", fails.kernel, "; others need at most ",
                          Percent(fails.limit));
    case Threshold::kBytes:
      return absl::StrFormat(
          "it moves %.4g bytes, most in kernel %s; the limit of %.4g follows from the least of all",
          fails.value, fails.kernel, fails.limit);
  }
  return "";
}

}  // namespace

std::string Explain(const Carving& carving, const std::vector<StaticMetrics>& configurations, size_t index) {
  const std::string& name = configurations[index].configuration;
  const TradeOff& own = carving.metrics[index];
  if (!carving.removed[index].has_value())
    return absl::StrFormat(
        "%s is kept: efficiency %.4g and utilisation %.4g are both surpassed by no configuration that is "
        "left",
        name, own.efficiency, own.utilization);
  const RemovalReason& reason = *carving.removed[index];
  if (const auto* fails = std::get_if<FailsThreshold>(&reason))
    return absl::StrCat(name, " is removed: ", Sentence(*fails));
  const IsSurpassed& surpassed = std::get<IsSurpassed>(reason);
  const TradeOff& other = carving.metrics[surpassed.by];
  return absl::StrFormat(
      "%s is removed: %s has both %s efficiency (%.4g to %.4g) and %s utilisation (%.4g to %.4g)", name,
      configurations[surpassed.by].configuration, Times(surpassed.efficiency_ratio), other.efficiency,
      own.efficiency, Times(surpassed.utilization_ratio), other.utilization, own.utilization);
}

}  // namespace tune
