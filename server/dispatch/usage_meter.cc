#include "server/dispatch/usage_meter.h"

namespace tune {
namespace {

constexpr int64_t kHours = 24;

int64_t HourOf(absl::Time time) { return absl::ToUnixSeconds(time) / 3600; }

}  // namespace

void UsageMeter::Add(const std::string& owner, absl::Time end, absl::Duration held) {
  std::map<int64_t, absl::Duration>& hours = hours_[owner];
  hours[HourOf(end)] += held;
  hours.erase(hours.begin(), hours.upper_bound(HourOf(end) - kHours));
}

absl::Duration UsageMeter::Of(const std::string& owner, absl::Time now) const {
  absl::Duration sum;
  const auto found = hours_.find(owner);
  if (found == hours_.end()) return sum;
  for (auto hour = found->second.upper_bound(HourOf(now) - kHours); hour != found->second.end(); ++hour) {
    sum += hour->second;
  }
  return sum;
}

}  // namespace tune
