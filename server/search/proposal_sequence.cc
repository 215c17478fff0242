#include "server/search/proposal_sequence.h"

#include <algorithm>
#include <numeric>

#include "common/decision/configuration.h"

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

// Answers from a recorded list as far as it goes. A walk mostly asks in the order of the list.
class RecordedChooser : public Chooser {
 public:
  explicit RecordedChooser(const v1::Configuration& configuration) : decisions_(configuration.decisions()) {}

  absl::StatusOr<int> Choose(const DecisionPoint& point) override {
    const auto asked = [&](const v1::Decision& decision) { return decision.key() == point.key; };
    if (next_ == decisions_.end() || !asked(*next_))
      next_ = std::find_if(decisions_.begin(), decisions_.end(), asked);
    if (next_ == decisions_.end()) return absl::NotFoundError(point.key + ": not recorded");
    const auto option = std::find(point.options.begin(), point.options.end(), next_->option());
    if (option == point.options.end()) return absl::NotFoundError(point.key + ": unknown option");
    ++next_;
    return static_cast<int>(option - point.options.begin());
  }

 private:
  using Decisions = google::protobuf::RepeatedPtrField<v1::Decision>;
  const Decisions& decisions_;
  Decisions::const_iterator next_ = decisions_.begin();
};

// Whether the trace has these decisions, in this order.
bool IsWalk(const Trace& trace, const v1::Configuration& configuration) {
  const auto same = [](const TracedDecision& traced, const v1::Decision& decision) {
    return traced.point.key == decision.key() && traced.point.options[traced.chosen] == decision.option();
  };
  const auto& decisions = configuration.decisions();
  return std::equal(trace.begin(), trace.end(), decisions.begin(), decisions.end(), same);
}

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

Proposals ProposalSequence::ProposeAt(int64_t index) {
  while (next_ <= index && GenerateNext()) {
  }
  Proposals result;
  result.exhausted = exhausted_;
  if (const auto it = entries_.find(index); it != entries_.end() && !it->second.observed) {
    result.candidates.push_back({index, ConfigurationOf(it->second.trace), it->second.failure});
  }
  return result;
}

absl::Status ProposalSequence::Observe(const v1::Candidate& candidate) {
  if (candidate.index() < 0) return absl::InvalidArgumentError("an observed candidate has a negative index");
  if (!candidate.has_evaluation()) {
    return absl::InvalidArgumentError(
        absl::StrCat("candidate ", candidate.index(), " was observed without an evaluation"));
  }
  if (candidate.index() >= next_) {
    if (candidate.index() > next_ || early_.count(next_) > 0 || !Generate(&candidate)) {
      early_.emplace(candidate.index(), candidate);
    }
    while (early_.count(next_) > 0 && GenerateNext()) {
    }
    return absl::OkStatus();
  }
  const auto entry = entries_.find(candidate.index());
  if (entry == entries_.end() || entry->second.observed) return absl::OkStatus();
  MarkObserved(candidate.index(), candidate);
  return absl::OkStatus();
}

absl::StatusOr<v1::Explanation> ProposalSequence::ExplainNext() {
  const int64_t index = next_;
  explaining_ = true;
  v1::Explanation explanation;
  explanation.set_index(index);
  DescribeState(&explanation);
  const bool generated = GenerateNext();
  explaining_ = false;
  if (!generated && exhausted_) return absl::OutOfRangeError("the space holds no further configurations");
  if (!generated) return absl::FailedPreconditionError("the draw waits for evaluations before it");
  const Entry& entry = entries_.at(index);
  explanation.set_origin(entry.origin);
  // Decisions without a record were taken over from elsewhere.
  std::map<std::string, const DrawRecord*> draws;
  for (const DrawRecord& draw : entry.draws) draws[draw.point.key] = &draw;
  for (const TracedDecision& traced : entry.trace) {
    const auto found = draws.find(traced.point.key);
    const DrawRecord draw =
        found != draws.end()
            ? *found->second
            : DrawRecord{traced.point, traced.point.allowed, {}, traced.chosen, entry.origin};
    ExplainDraw(draw, explanation.add_decisions());
  }
  return explanation;
}

v1::Explanation ProposalSequence::ExplainState() {
  v1::Explanation explanation;
  explanation.set_index(next_);
  DescribeState(&explanation);
  DescribeGraph(&explanation);
  return explanation;
}

void ProposalSequence::ExplainDraw(const DrawRecord& draw, v1::ExplainedDecision* decision) {
  decision->set_key(draw.point.key);
  decision->set_chosen(draw.chosen);
  decision->set_reason(draw.reason);
  const double sum = std::accumulate(draw.weights.begin(), draw.weights.end(), 0.0);
  for (size_t i = 0; i < draw.point.options.size(); ++i) {
    v1::ExplainedOption* option = decision->add_options();
    option->set_option(draw.point.options[i]);
    option->set_desirability(1);
    if (!draw.point.allowed[i]) {
      option->set_closed("not allowed here");
    } else if (!draw.open[i]) {
      option->set_closed("outside the region, or leads only to what was evaluated");
    } else if (sum > 0) {
      option->set_probability(draw.weights[i] / sum);
    }
  }
  DescribeOptions(draw, decision);
}

void ProposalSequence::ReleaseObserved() {
  auto it = entries_.begin();
  while (it != entries_.end() && it->second.observed) ++it;
  ReleaseBelow(it == entries_.end() ? INT64_MAX : it->first);
}

bool ProposalSequence::GenerateNext() {
  const auto early = early_.find(next_);
  if (early == early_.end()) return Generate(nullptr);
  const int64_t index = next_;
  if (!Generate(&early->second)) return false;
  early_.erase(index);
  return true;
}

bool ProposalSequence::Generate(const v1::Candidate* recorded) {
  if (next_ >= Horizon() || exhausted_) return false;
  // Also when the candidate is recorded: seeds are used up as they were then.
  std::optional<Entry> entry = next_ == 0 ? std::nullopt : TakeSeed();
  if (recorded != nullptr) {
    entry = Recorded(recorded->configuration());
  } else if (next_ == 0) {
    DefaultChooser chooser;
    entry = WalkWith(chooser);
    entry->origin = "the default configuration";
  } else if (!entry.has_value()) {
    entry = Draw(next_);
  }
  if (!entry.has_value()) {
    exhausted_ = true;
    return false;
  }
  entry->foreign =
      recorded != nullptr && entry->trace.empty() && recorded->configuration().decisions_size() > 0;
  const int64_t index = next_;
  Add(*std::move(entry));
  if (recorded != nullptr) MarkObserved(index, *recorded);
  return true;
}

void ProposalSequence::Add(Entry entry) {
  if (!entry.foreign) tree_.Add(entry.trace);  // else it says nothing of the space
  const int64_t index = next_++;
  entries_[index] = std::move(entry);
  Generated(index);
}

std::optional<ProposalSequence::Entry> ProposalSequence::Suggest(bool explaining) {
  explaining_ = explaining;
  std::optional<Entry> entry = Draw(next_);
  explaining_ = false;
  return entry;
}

void ProposalSequence::Follow(const Entry& entry) {
  Entry followed = entry;
  followed.observed = false;
  Add(std::move(followed));
}

void ProposalSequence::FollowResult(int64_t index, const Entry& entry) {
  Entry& own = entries_.at(index);
  own = entry;
  if (!own.foreign) tree_.Add(own.trace);  // where it is not the walk that was proposed
  Observed(index);
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
  TracingChooser tracing(&chooser);
  Entry entry;
  entry.failure = space_->WalkAs(configuration, tracing);
  entry.trace = std::move(tracing.trace);
  return entry;
}

std::optional<ProposalSequence::Entry> ProposalSequence::TakeSeed() {
  while (!seeds_.empty()) {
    ReplayChooser chooser(seeds_.front());
    seeds_.pop_front();
    Entry entry = WalkWith(chooser);
    if (!entry.failure.ok() || !chooser.CheckAllUsed().ok()) {
      ++foreign_seeds_;
    } else if (!tree_.Contains(entry.trace)) {
      entry.origin = "a configuration known to be good elsewhere";
      return entry;
    }
  }
  return std::nullopt;
}

void ProposalSequence::MarkObserved(int64_t index, const v1::Candidate& candidate) {
  Entry& entry = entries_.at(index);
  if (!IsWalk(entry.trace, candidate.configuration())) {
    entry = Recorded(candidate.configuration());
    tree_.Add(entry.trace);
  }
  entry.observed = true;
  if (candidate.evaluation().outcome() == v1::CORRECT && candidate.evaluation().measurement().median() > 0) {
    entry.seconds = candidate.evaluation().measurement().median();
    entry.kernels = KernelResultsOf(candidate.evaluation());
  }
  Observed(index);
}

}  // namespace tune
