// What is known, by the objective of who asks: studies that were tuned for energy know times, too, and many
// that were tuned for time know energy.
#pragma once

#include <optional>
#include <vector>

#include "common/base/status.h"
#include "server/store/store.h"
#include "tune/v1/exchange_service.pb.h"

namespace tune {

class AskedObjective {
 public:
  // Both outlive it.
  AskedObjective(const Store& store, const v1::LookUpRequest& request) : store_(store), request_(request) {}

  // What the study's best candidate costs (CostOf); 0: it is not known, also where the objective is a metric
  // that the study defines otherwise.
  absl::StatusOr<double> BestCostOf(const v1::Study& study) const;

  // The configuration of the study's best candidate: by its own objective where candidates have no value of
  // the asked one. NOT_FOUND: it has gone.
  absl::StatusOr<v1::Configuration> BestOf(const v1::Study& study) const;

  // The best candidates of the study's search, at most so many. Their seconds are costs.
  absl::StatusOr<v1::KnownResults> ResultsOf(const v1::Study& study, int limit) const;

 private:
  absl::StatusOr<bool> Knows(const v1::Study& study) const;

  const Store& store_;
  const v1::LookUpRequest& request_;
};

}  // namespace tune
