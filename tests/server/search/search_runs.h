// Searches on synthetic spaces.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "common/base/random.h"
#include "server/search/search_options.h"
#include "server/search/strategy.h"

namespace tune {

inline v1::SearchOptions Options(const std::string& strategy, uint64_t seed) {
  v1::SearchOptions options;
  options.set_strategy(strategy);
  options.set_seed(seed);
  FillDefaults(&options);
  return options;
}

// Sum over decisions of a cost of the option; the optimum is "0" everywhere but d0, where it is "1".
inline double SeparableSeconds(const v1::Configuration& configuration) {
  double seconds = 1;
  for (const v1::Decision& decision : configuration.decisions()) {
    const int option = decision.option()[0] - '0';
    seconds += decision.key() == "d0" ? (option == 1 ? 0 : 2) : option;
  }
  return seconds;
}

inline v1::Candidate Evaluated(const Proposal& proposal, v1::Outcome outcome = v1::CORRECT) {
  v1::Candidate candidate;
  candidate.set_index(proposal.index);
  candidate.set_state(v1::EVALUATED);
  candidate.set_origin(v1::SEARCH);
  *candidate.mutable_configuration() = proposal.configuration;
  v1::Evaluation* evaluation = candidate.mutable_evaluation();
  evaluation->set_outcome(proposal.failure.ok() ? outcome : v1::COMPILE);
  if (evaluation->outcome() == v1::CORRECT) {
    evaluation->mutable_measurement()->set_median(SeparableSeconds(proposal.configuration));
  }
  return candidate;
}

// Runs a search, one iteration's worth of proposals at a time, shuffled before they are observed.
inline std::vector<v1::Candidate> RunSearch(Strategy& strategy, int budget, Random* shuffle = nullptr) {
  std::vector<v1::Candidate> all;
  while (static_cast<int>(all.size()) < budget) {
    Proposals proposals = strategy.Propose(std::min<int>(10, budget - all.size()));
    if (proposals.candidates.empty()) break;
    std::vector<v1::Candidate> round;
    for (const Proposal& proposal : proposals.candidates) round.push_back(Evaluated(proposal));
    for (size_t i = round.size(); shuffle != nullptr && i > 1; --i) {
      std::swap(round[i - 1], round[shuffle->Below(i)]);
    }
    for (const v1::Candidate& candidate : round) {
      EXPECT_TRUE(strategy.Observe(candidate).ok());
      all.push_back(candidate);
    }
  }
  std::sort(all.begin(), all.end(),
            [](const v1::Candidate& a, const v1::Candidate& b) { return a.index() < b.index(); });
  return all;
}

// The best time of a search's first `budget` candidates but for the default.
inline double BestOf(const std::string& name, uint64_t seed, int budget, Space* space) {
  double best = std::numeric_limits<double>::infinity();
  for (const v1::Candidate& candidate :
       RunSearch(*MakeStrategy(Options(name, seed), space).value(), budget)) {
    if (candidate.index() == 0 || candidate.evaluation().outcome() != v1::CORRECT) continue;
    best = std::min(best, candidate.evaluation().measurement().median());
  }
  return best;
}

}  // namespace tune
