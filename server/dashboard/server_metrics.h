// What /metrics tells Prometheus.
#pragma once

#include <prometheus/histogram.h>
#include <prometheus/registry.h>

#include <string>

#include "server/dashboard/change_feed.h"

namespace tune {

// Thread safe.
class ServerMetrics {
 public:
  // Nothing is owned.
  ServerMetrics(const Coordinator* coordinator, StudyIndex* index, const ChangeFeed* feed);

  // One answered request. `route`: a pattern, so that there are few.
  void Observe(const std::string& route, int status, absl::Duration duration);

  // In Prometheus' text format.
  absl::StatusOr<std::string> Print() const;

 private:
  const Coordinator* const coordinator_;
  StudyIndex* const index_;
  const ChangeFeed* const feed_;
  prometheus::Registry registry_;
  prometheus::Family<prometheus::Histogram>* durations_;
  prometheus::Family<prometheus::Counter>* requests_;
};

}  // namespace tune
