// Options that say by what candidates are compared.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "client/submit/study_request.h"

namespace tune {

// --objective, --maximise, --metric, --energy. `metrics`: what --metric was given.
void AddObjectiveOptions(CLI::App& verb, v1::SearchOptions& search, std::vector<std::string>& metrics,
                         const std::string& group);

// "gflops=2*n**3/time/1e9" becomes a metric. A usage error where there is no name or no expression.
absl::StatusOr<std::vector<v1::MetricDefinition>> ParseMetrics(const std::vector<std::string>& texts);

}  // namespace tune
