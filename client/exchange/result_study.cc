#include "client/exchange/result_study.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "absl/strings/str_cat.h"
#include "common/evaluation/measurement.h"
#include "common/evaluation/objective.h"
#include "common/exchange/study_identity.h"

namespace tune {
namespace {

// By the study's objective; a candidate without a value of it comes after those that have one.
bool IsBetter(const v1::Evaluation& evaluation, const v1::Study& best) {
  if (best.best_index() < 0) return true;
  const double cost = CostOf(best.search(), evaluation.measurement(), evaluation.metrics());
  const double least = CostOf(best.search(), best.best(), best.best_metrics());
  return IsLessCost(cost, least);
}

void SummarizeResults(const std::vector<v1::Candidate>& candidates, v1::Study* study) {
  std::map<v1::Outcome, int> outcomes;
  study->set_best_index(-1);
  for (const v1::Candidate& candidate : candidates) {
    const v1::Evaluation& evaluation = candidate.evaluation();
    ++outcomes[evaluation.outcome()];
    study->set_finished_unix_ms(std::max(study->finished_unix_ms(), candidate.evaluated_unix_ms()));
    if (evaluation.measurement().median() <= 0 || !IsBetter(evaluation, *study)) continue;
    study->set_best_index(candidate.index());
    *study->mutable_best() = evaluation.measurement();
    *study->mutable_best_metrics() = evaluation.metrics();
  }
  for (const auto& [outcome, count] : outcomes) {
    v1::OutcomeCount* entry = study->add_outcomes();
    entry->set_outcome(outcome);
    entry->set_count(count);
  }
  study->set_evaluated(static_cast<int32_t>(candidates.size()));
  study->set_budget(study->evaluated());
}

}  // namespace

v1::Candidate ResultCandidate(int64_t index) {
  v1::Candidate candidate;
  candidate.set_index(index);
  candidate.set_origin(v1::SEARCH);
  candidate.set_state(v1::EVALUATED);
  return candidate;
}

void SetSamples(const std::vector<double>& samples, v1::Evaluation* evaluation) {
  evaluation->set_outcome(v1::CORRECT);
  const bool times =
      std::all_of(samples.begin(), samples.end(), [](double s) { return s > 0 && std::isfinite(s); });
  if (!samples.empty() && times) *evaluation->mutable_measurement() = MakeMeasurement(samples);
}

v1::Study ResultStudy(const std::string& format, const std::string& source) {
  v1::Study study;
  study.set_name(source.substr(source.rfind('/') + 1));
  study.set_state(v1::DONE);
  study.mutable_provenance()->set_format(format);
  study.mutable_provenance()->set_server(source);
  study.add_warnings(absl::StrCat(
      "results of a ", format, " file, without the code: they can be looked at and exported, not fetched"));
  return study;
}

v1::ArchivedStudy ArchiveOfResults(v1::Study study, std::vector<v1::Candidate> candidates) {
  v1::ArchivedStudy archived;
  SummarizeResults(candidates, &study);
  *archived.mutable_study() = std::move(study);
  for (v1::Candidate& candidate : candidates)
    *archived.add_candidates()->mutable_candidate() = std::move(candidate);
  archived.set_fingerprint(StudyFingerprint(archived));
  return archived;
}

}  // namespace tune
