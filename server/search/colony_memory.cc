#include "server/search/colony_memory.h"

#include <algorithm>

namespace tune {
namespace {

constexpr size_t kBests = 3;
constexpr double kGrowth = 1.1;  // of the candidates that the tree knows, before it is grown anew

}  // namespace

bool ColonyMemory::Learn(int64_t index, const ProposalSequence::Entry& entry) {
  table_.Add(entry.trace, entry.seconds);
  experience_.Add(entry.trace, entry.seconds.has_value(), entry.kernels);
  if (!prior_.empty()) sayings_.push_back(prior_.SayingsOf(entry.trace));
  if (!entry.seconds.has_value()) return false;
  if (!prior_.empty()) prior_.Observe(sayings_.back(), *entry.seconds);
  peaks_.Add(index, *entry.seconds, entry.trace);
  const auto place = std::find_if(bests_.begin(), bests_.end(),
                                  [&](const Best& best) { return *entry.seconds < best.seconds; });
  if (place != bests_.end() || bests_.size() < kBests) {
    bests_.insert(place, Best{index, *entry.seconds, entry.trace, entry.kernels, KnownWalkOf(entry.trace)});
    if (bests_.size() > kBests) bests_.pop_back();
  }
  return kernel_bests_.Add(entry.trace, entry.kernels);
}

void ColonyMemory::EndIteration() {
  if (known_rows_ * kGrowth > table_.rows()) return;
  known_rows_ = table_.rows();
  prior_.Weigh();
  guide_.reset();
}

std::vector<double> ColonyMemory::Expectations() const {
  std::vector<double> expectations;
  for (const Prior::Sayings& sayings : sayings_) expectations.push_back(prior_.MeanOf(sayings));
  return expectations;
}

const TreeGuide& ColonyMemory::guide() {
  if (!guide_.has_value()) guide_.emplace(&table_, known_rows_);
  return *guide_;
}

std::string CandidateName(int64_t index) { return absl::StrCat("candidate ", index); }

}  // namespace tune
