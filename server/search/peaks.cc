#include "server/search/peaks.h"

#include <algorithm>
#include <map>

#include "absl/strings/string_view.h"

namespace tune {
namespace {

absl::string_view OptionOf(const TracedDecision& traced) { return traced.point.options[traced.chosen]; }

bool AreClose(const Trace& a, const Trace& b) {
  return 2 * Distance(a, b) < static_cast<int>(std::max(a.size(), b.size()));
}

}  // namespace

// Walks mostly ask alike at their beginning: only what follows is looked up by key.
int Distance(const Trace& a, const Trace& b) {
  int distance = 0;
  size_t alike = 0;
  for (; alike < std::min(a.size(), b.size()) && a[alike].point.key == b[alike].point.key; ++alike) {
    if (OptionOf(a[alike]) != OptionOf(b[alike])) ++distance;
  }
  std::map<absl::string_view, absl::string_view> rest;
  for (size_t i = alike; i < a.size(); ++i) rest[a[i].point.key] = OptionOf(a[i]);
  for (size_t i = alike; i < b.size(); ++i) {
    const auto found = rest.find(b[i].point.key);
    if (found == rest.end() || found->second != OptionOf(b[i])) ++distance;
    if (found != rest.end()) rest.erase(found);
  }
  return distance + static_cast<int>(rest.size());
}

void Peaks::Add(int64_t index, double seconds, const Trace& trace) {
  if (peaks_.size() == kMost && seconds >= peaks_.back().seconds) return;
  for (const Peak& peak : peaks_) {
    if (peak.seconds <= seconds && AreClose(peak.trace, trace)) return;
  }
  std::erase_if(peaks_, [&](const Peak& peak) { return AreClose(peak.trace, trace); });
  const auto place =
      std::find_if(peaks_.begin(), peaks_.end(), [&](const Peak& peak) { return seconds < peak.seconds; });
  peaks_.insert(place, {index, seconds, trace, KnownWalkOf(trace)});
  if (peaks_.size() > kMost) peaks_.pop_back();
}

}  // namespace tune
