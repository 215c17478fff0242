#include "server/search/proposal_sequence.h"

#include <algorithm>

#include "common/space/configuration.h"

namespace tune {
namespace {

class TracingChooser : public Chooser {
 public:
  explicit TracingChooser(Chooser* inner) : inner_(inner) {}

  absl::StatusOr<int> Choose(const DecisionPoint& point) override {
    TUNE_ASSIGN_OR_RETURN(const int chosen, inner_->Choose(point));
    trace.push_back({point, chosen});
    return chosen;
  }

  Trace trace;

 private:
  Chooser* inner_;
};

// Answers from a recorded list as far as it goes.
class RecordedChooser : public Chooser {
 public:
  explicit RecordedChooser(const v1::Configuration& configuration) {
    for (const v1::Decision& decision : configuration.decisions())
      options_[decision.key()] = decision.option();
  }

  absl::StatusOr<int> Choose(const DecisionPoint& point) override {
    const auto recorded = options_.find(point.key);
    if (recorded == options_.end()) return absl::NotFoundError(point.key + ": not recorded");
    const auto option = std::find(point.options.begin(), point.options.end(), recorded->second);
    if (option == point.options.end()) return absl::NotFoundError(point.key + ": unknown option");
    return static_cast<int>(option - point.options.begin());
  }

 private:
  std::map<std::string, std::string> options_;
};

}  // namespace

Proposals ProposalSequence::Propose(int n) {
  Proposals result;
  for (auto it = entries_.begin(); static_cast<int>(result.candidates.size()) < n; ++it) {
    while (it == entries_.end()) {
      // Generating may release entries: look up by index afterwards.
      const int64_t index = next_;
      if (!GenerateNext()) {
        result.exhausted = exhausted_;
        return result;
      }
      it = entries_.find(index);
      if (it == entries_.end()) it = entries_.lower_bound(index);
    }
    if (it->second.observed) continue;
    result.candidates.push_back({it->first, ConfigurationOf(it->second.trace), it->second.failure});
  }
  result.exhausted = exhausted_;
  return result;
}

absl::Status ProposalSequence::Observe(const v1::Candidate& candidate) {
  if (candidate.index() < 0) return absl::InvalidArgumentError("an observed candidate has a negative index");
  if (!candidate.has_evaluation()) {
    return absl::InvalidArgumentError(
        absl::StrCat("candidate ", candidate.index(), " was observed without an evaluation"));
  }
  if (candidate.index() >= next_) {
    early_.emplace(candidate.index(), candidate);
    while (early_.count(next_) > 0 && GenerateNext()) {
    }
    return absl::OkStatus();
  }
  const auto entry = entries_.find(candidate.index());
  if (entry == entries_.end() || entry->second.observed) return absl::OkStatus();
  MarkObserved(candidate.index(), candidate);
  return absl::OkStatus();
}

bool ProposalSequence::GenerateNext() {
  if (next_ >= Horizon() || exhausted_) return false;
  const auto early = early_.find(next_);
  std::optional<Entry> entry;
  if (early != early_.end()) {
    entry = Recorded(early->second.configuration());
  } else if (next_ == 0) {
    DefaultChooser chooser;
    entry = WalkWith(chooser);
  } else {
    entry = Draw(next_);
  }
  if (!entry.has_value()) {
    exhausted_ = true;
    return false;
  }
  tree_.Add(entry->trace);
  const int64_t index = next_++;
  entries_[index] = *std::move(entry);
  if (early != early_.end()) {
    const v1::Candidate candidate = std::move(early->second);
    early_.erase(early);
    MarkObserved(index, candidate);
  }
  return true;
}

ProposalSequence::Entry ProposalSequence::WalkWith(Chooser& chooser) {
  TracingChooser tracing(&chooser);
  Entry entry;
  entry.failure = space_->Walk(tracing);
  entry.trace = std::move(tracing.trace);
  return entry;
}

// A recorded walk that failed ends where it failed then, or fails again: both give its trace.
ProposalSequence::Entry ProposalSequence::Recorded(const v1::Configuration& configuration) {
  RecordedChooser chooser(configuration);
  return WalkWith(chooser);
}

void ProposalSequence::MarkObserved(int64_t index, const v1::Candidate& candidate) {
  Entry& entry = entries_.at(index);
  if (ConfigurationFingerprint(ConfigurationOf(entry.trace)) !=
      ConfigurationFingerprint(candidate.configuration())) {
    entry = Recorded(candidate.configuration());
    tree_.Add(entry.trace);
  }
  entry.observed = true;
  if (candidate.evaluation().outcome() == v1::CORRECT && candidate.evaluation().measurement().median() > 0) {
    entry.seconds = candidate.evaluation().measurement().median();
  }
  Observed(index);
}

}  // namespace tune
