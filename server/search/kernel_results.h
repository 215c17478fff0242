// What evaluations tell about single kernels, as the search uses it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "tune/v1/evaluation.pb.h"

namespace tune {

struct KernelResult {
  std::string name;                       // as in the decisions' keys: "k[S0,S1]"
  double seconds = 0;                     // of all launches; 0: not known
  std::map<std::string, double> metrics;  // name -> 0..1
};

// "k[S0]@1" of "k[S0]@1.tile_size_0"; empty for a decision that is not about one kernel.
absl::string_view KernelOfKey(absl::string_view key);

std::vector<KernelResult> KernelResultsOf(const v1::Evaluation& evaluation);

// Metrics of the kernel that the key is about; of all, weighted by their times, for other keys and when the
// candidate has no such kernel. Empty when nothing was counted.
std::map<std::string, double> MetricsFor(const std::string& key, const std::vector<KernelResult>& kernels);

}  // namespace tune
