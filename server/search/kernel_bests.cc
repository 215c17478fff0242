#include "server/search/kernel_bests.h"

#include <set>

namespace tune {
namespace {

Trace DecisionsAbout(const std::string& kernel, const Trace& trace) {
  Trace decisions;
  for (const TracedDecision& traced : trace) {
    if (KernelOfKey(traced.point.key) == kernel) decisions.push_back(traced);
  }
  return decisions;
}

}  // namespace

bool KernelBests::Add(const Trace& trace, const std::vector<KernelResult>& kernels) {
  bool improved = false;
  for (const KernelResult& kernel : kernels) {
    if (kernel.seconds <= 0) continue;
    const auto known = bests_.find(kernel.name);
    if (known != bests_.end() && known->second.seconds <= kernel.seconds) continue;
    bests_[kernel.name] = {kernel.seconds, DecisionsAbout(kernel.name, trace)};
    improved = true;
  }
  return improved;
}

const Trace& KernelBests::DecisionsOf(const std::string& kernel) const { return bests_.at(kernel).decisions; }

std::vector<std::string> KernelBests::Kernels() const {
  std::vector<std::string> names;
  for (const auto& [name, best] : bests_) names.push_back(name);
  return names;
}

std::map<std::string, std::string> KernelBests::Recombine(const Trace& trace) const {
  std::map<std::string, std::string> options;
  std::set<std::string> kernels;
  for (const TracedDecision& traced : trace) {
    options[traced.point.key] = traced.point.options[traced.chosen];
    kernels.emplace(KernelOfKey(traced.point.key));
  }
  for (const std::string& kernel : kernels) {
    const auto best = bests_.find(kernel);
    if (best == bests_.end()) continue;
    for (const TracedDecision& other : best->second.decisions)
      options[other.point.key] = other.point.options[other.chosen];
  }
  return options;
}

}  // namespace tune
