// Summaries of studies, evaluation by evaluation.
#include "server/study/study_summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace tune {
namespace {

using ::testing::ElementsAre;

v1::Candidate EvaluatedAs(int64_t index, v1::Outcome outcome, double seconds) {
  v1::Candidate candidate;
  candidate.set_index(index);
  candidate.set_origin(v1::SEARCH);
  candidate.set_state(v1::EVALUATED);
  candidate.mutable_evaluation()->set_outcome(outcome);
  if (seconds > 0) candidate.mutable_evaluation()->mutable_measurement()->set_median(seconds);
  return candidate;
}

std::vector<v1::Candidate> SomeCandidates() {
  std::vector<v1::Candidate> candidates = {
      EvaluatedAs(0, v1::CORRECT, 4),   EvaluatedAs(1, v1::TIMEOUT, 0),   EvaluatedAs(2, v1::CORRECT, 2),
      EvaluatedAs(3, v1::CORRECT, 2),   EvaluatedAs(4, v1::CANCELLED, 0), EvaluatedAs(5, v1::CORRECT, 1),
      EvaluatedAs(6, v1::CORRECT, 2.5),
  };
  candidates[5].set_origin(v1::REPLAY);
  candidates[6].mutable_evaluation()->set_duplicate_of_plus_one(3);
  return candidates;
}

TEST(CountEvaluation, OrderDoesNotMatter) {
  std::vector<v1::Candidate> candidates = SomeCandidates();
  std::set<std::string> summaries;
  v1::Study study;
  do {
    study.Clear();
    study.set_best_index(-1);
    study.mutable_reference()->set_sequential_seconds(8);
    for (const v1::Candidate& candidate : candidates) CountEvaluation(candidate, &study);
    summaries.insert(study.SerializeAsString());
  } while (std::next_permutation(candidates.begin(), candidates.end(),
                                 [](const auto& a, const auto& b) { return a.index() < b.index(); }));
  EXPECT_EQ(summaries.size(), 1u);
  EXPECT_EQ(study.evaluated(), 5);
  EXPECT_EQ(study.duplicates(), 1);
  EXPECT_EQ(study.best_index(), 2) << "the lower index of equal ones; a replay does not count";
  EXPECT_DOUBLE_EQ(study.best().median(), 2);
  EXPECT_DOUBLE_EQ(study.gain_over_default(), 2);
  EXPECT_DOUBLE_EQ(study.gain_over_sequential(), 4);
  ASSERT_EQ(study.outcomes_size(), 3);
  EXPECT_EQ(study.outcomes(0).outcome(), v1::CORRECT);
  EXPECT_EQ(study.outcomes(0).count(), 4);
  EXPECT_EQ(study.outcomes(2).outcome(), v1::CANCELLED);
}

// Energies: candidate 3, slow, uses least; of candidate 2 it is not known.
TEST(CountEvaluation, TheBestIsByTheObjective) {
  std::vector<v1::Candidate> candidates = SomeCandidates();
  const double joules[] = {9, 0, 0, 3, 0, 1, 3.5};
  for (size_t i = 0; i < candidates.size(); ++i)
    if (joules[i] > 0) candidates[i].mutable_evaluation()->mutable_measurement()->set_joules(joules[i]);
  candidates[3].mutable_evaluation()->mutable_measurement()->set_median(5);
  candidates[3].mutable_evaluation()->add_metrics()->set_name("gflops");
  std::reverse(candidates.begin(), candidates.end());
  v1::Study study;
  study.set_best_index(-1);
  study.mutable_search()->set_objective("energy");
  CandidateRecords records;
  for (const v1::Candidate& candidate : candidates) {
    CountEvaluation(candidate, &study);
    records[candidate.index()] = RecordOf(study.search(), candidate);
  }
  EXPECT_EQ(study.best_index(), 3);
  EXPECT_EQ(study.best().median(), 5);
  ASSERT_EQ(study.best_metrics_size(), 1);
  EXPECT_EQ(study.best_metrics(0).name(), "gflops");
  EXPECT_EQ(study.default_metrics_size(), 0);
  EXPECT_THAT(ChooseForConfirmation(records, 9), ElementsAre(3, 0, 2)) << "who has no energy comes last";
  // Times that are measured again do not change who uses least.
  v1::Confirmation confirmation;
  confirmation.add_candidates()->set_index(2);
  confirmation.mutable_candidates(0)->mutable_measurement()->set_median(1);
  ApplyConfirmation(confirmation, &study);
  EXPECT_EQ(study.best_index(), 3);
  EXPECT_EQ(study.confirmation().candidates_size(), 1);
  ForgetEvaluations(&study);
  EXPECT_EQ(study.best_metrics_size(), 0);
}

TEST(ChooseForConfirmation, TakesTheFastestAndTheDefault) {
  CandidateRecords records;
  for (const v1::Candidate& candidate : SomeCandidates())
    records[candidate.index()] = RecordOf({}, candidate);
  EXPECT_THAT(ChooseForConfirmation(records, 1), ElementsAre(2, 0));
  EXPECT_THAT(ChooseForConfirmation(records, 5), ElementsAre(2, 3, 0)) << "neither replay nor duplicate";
  EXPECT_TRUE(ChooseForConfirmation({}, 3).empty());
}

}  // namespace
}  // namespace tune
