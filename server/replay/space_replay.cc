#include "server/replay/space_replay.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "common/evaluation/measurement.h"
#include "server/search/strategy.h"

namespace tune {

absl::StatusOr<SpaceReplay> ReplaySpace(const v1::SearchOptions& options, RecordedSpace* space,
                                        const std::vector<v1::KnownResults>& known) {
  TUNE_ASSIGN_OR_RETURN(const std::unique_ptr<Strategy> strategy, MakeStrategy(options, space, {}, known));
  SpaceReplay replay;
  replay.seed = options.seed();
  double best = std::numeric_limits<double>::infinity();
  while (static_cast<int>(replay.best_so_far.size()) < options.evaluations()) {
    const int left = options.evaluations() - static_cast<int>(replay.best_so_far.size());
    const Proposals proposals = strategy->Propose(std::min(left, options.ants()));
    if (proposals.candidates.empty()) break;
    for (const Proposal& proposal : proposals.candidates) {
      TUNE_ASSIGN_OR_RETURN(const v1::Evaluation* evaluation, space->Evaluate(proposal.configuration));
      v1::Candidate candidate;
      candidate.set_index(proposal.index);
      *candidate.mutable_configuration() = proposal.configuration;
      *candidate.mutable_evaluation() = *evaluation;
      const double seconds = evaluation->measurement().median();
      if (evaluation->outcome() == v1::CORRECT && seconds > 0) best = std::min(best, seconds);
      replay.best_so_far.push_back(best);
      TUNE_RETURN_IF_ERROR(strategy->Observe(candidate));
    }
  }
  return replay;
}

v1::KnownResults KnownOf(const std::string& source, const std::vector<RecordedCandidate>& candidates) {
  std::map<std::string, std::set<std::string>> options;  // by key
  for (const RecordedCandidate& candidate : candidates) {
    for (const auto& [key, option] : candidate.decisions) options[key].insert(option);
  }
  v1::KnownResults known;
  known.set_source(source);
  for (const RecordedCandidate& candidate : candidates) {
    v1::KnownResult* result = known.add_results();
    for (const auto& [key, option] : candidate.decisions) {
      if (options[key].size() == 1) continue;
      v1::Decision* decision = result->mutable_configuration()->add_decisions();
      decision->set_key(key);
      decision->set_option(option);
    }
    if (candidate.evaluation.outcome() == v1::CORRECT)
      result->set_seconds(candidate.evaluation.measurement().median());
  }
  return known;
}

ReplaySummary Summarise(const std::vector<SpaceReplay>& replays, double best_seconds, int evaluations) {
  std::vector<double> shares;
  for (const SpaceReplay& replay : replays) {
    const size_t last = std::min<size_t>(evaluations, replay.best_so_far.size());
    shares.push_back(last == 0 ? 0 : best_seconds / replay.best_so_far[last - 1]);
  }
  return {evaluations, Median(shares),
          std::accumulate(shares.begin(), shares.end(), 0.0) / static_cast<double>(shares.size()),
          *std::min_element(shares.begin(), shares.end())};
}

}  // namespace tune
