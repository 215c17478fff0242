#include "server/study/online_studies.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <cmath>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "common/base/fingerprint.h"
#include "common/base/plain_text.h"
#include "common/evaluation/measurement.h"
#include "common/evaluation/outcome.h"
#include "common/exchange/results_alone.h"
#include "server/study/study_summary.h"

namespace tune {
namespace {

constexpr size_t kShortestRun = 16, kLongestRun = 100;
constexpr size_t kLongestText = 1000;
constexpr int kMostInputs = 64, kMostParameters = 1000;
constexpr int64_t kMostTries = 1'000'000;  // of a search

absl::Status Refuse(const v1::OnlineSearch& search, absl::string_view why) {
  return absl::InvalidArgumentError(absl::StrCat("a search of region '", search.region(), "': ", why));
}

bool IsName(const std::string& text) {
  return !text.empty() && text.size() <= kLongestText && IsPlainLine(text);
}

absl::Status CheckRun(const std::string& run) {
  const bool plain = std::all_of(run.begin(), run.end(), [](char c) { return absl::ascii_isalnum(c); });
  if (plain && run.size() >= kShortestRun && run.size() <= kLongestRun) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("run: give ", kShortestRun, " to ", kLongestRun, " letters and digits"));
}

absl::Status CheckTry(const v1::OnlineSearch& search, const v1::OnlineTry& tried) {
  if (!(std::isfinite(tried.seconds()) && tried.seconds() > 0))
    return Refuse(search, absl::StrCat(tried.seconds(), " is no time of a try; give seconds above 0"));
  if (tried.configuration().decisions_size() > kMostParameters)
    return Refuse(search, absl::StrCat("a try has more than ", kMostParameters, " parameters"));
  for (const v1::Decision& decision : tried.configuration().decisions()) {
    if (!IsName(decision.key()) || decision.option().size() > kLongestText || !IsPlainLine(decision.option()))
      return Refuse(search, "a try has a parameter or a value that is no plain line");
  }
  return absl::OkStatus();
}

absl::Status CheckSearch(const v1::OnlineSearch& search) {
  if (!IsName(search.region()))
    return absl::InvalidArgumentError("a search has a region whose name is no plain line");
  if (!IsName(search.device())) return Refuse(search, "its device has no name that is a plain line");
  if (search.inputs_size() > kMostInputs)
    return Refuse(search, absl::StrCat("it has more than ", kMostInputs, " inputs"));
  if (search.first() < 0 || search.first() + search.tries_size() > kMostTries)
    return Refuse(search, absl::StrCat("first: a search has at most ", kMostTries, " tries"));
  if (!v1::OnlineSearch_End_IsValid(search.end())) return Refuse(search, "end: this is none");
  for (const v1::OnlineTry& tried : search.tries()) TUNE_RETURN_IF_ERROR(CheckTry(search, tried));
  return absl::OkStatus();
}

// The same for all reports of a search.
std::string RequestOf(const std::string& run, const v1::OnlineSearch& search) {
  v1::OnlineSearch key;
  key.set_region(search.region());
  key.set_device(search.device());
  *key.mutable_inputs() = search.inputs();
  return absl::StrCat("online/", run, "/", Fingerprint(key.SerializeAsString()));
}

v1::Study NewStudyOf(const std::string& owner, const v1::OnlineSearch& search, int64_t now) {
  v1::Study study;
  study.set_name(search.region());
  study.set_owner(owner);
  study.set_state(v1::SEARCHING);
  study.mutable_device()->set_model(search.device());
  for (const int64_t input : search.inputs()) {
    v1::ParameterValue& value = *study.mutable_reference()->add_parameters();
    value.set_name(absl::StrCat("input", study.reference().parameters_size()));
    value.set_value(input);
  }
  study.set_created_unix_ms(now);
  study.set_best_index(-1);
  study.mutable_provenance()->set_format(kLibtuneFormat);
  study.mutable_provenance()->set_server("a running application");
  study.mutable_provenance()->set_imported_unix_ms(now);
  study.add_warnings(
      "what an application tried while it ran, without the code: it can be looked at and exported, not "
      "fetched");
  return study;
}

StoredCandidate CandidateOf(const v1::OnlineTry& tried, int64_t index, int64_t now) {
  StoredCandidate stored;
  v1::Candidate& candidate = stored.candidate;
  candidate.set_index(index);
  candidate.set_origin(v1::ONLINE);
  candidate.set_state(v1::EVALUATED);
  candidate.set_evaluated_unix_ms(now);
  *candidate.mutable_configuration() = tried.configuration();
  candidate.mutable_evaluation()->set_outcome(v1::CORRECT);
  *candidate.mutable_evaluation()->mutable_measurement() = MakeMeasurement({tried.seconds()});
  return stored;
}

// State and budget after a report whose tries are counted already.
void Conclude(const v1::OnlineSearch& search, int64_t now, v1::Study* study) {
  study->set_budget(study->evaluated());
  const bool goes_on = search.end() == v1::OnlineSearch::GOES_ON;
  study->set_state(goes_on ? v1::SEARCHING : v1::DONE);
  study->set_finished_unix_ms(goes_on ? 0 : now);
  study->set_space_note(search.end() == v1::OnlineSearch::RUN_ENDED
                            ? "the application ended before the search had settled"
                            : "");
}

}  // namespace

bool OnlineStudies::IsOne(const v1::Study& study) { return study.provenance().format() == kLibtuneFormat; }

absl::StatusOr<v1::ReportTriesResponse> OnlineStudies::Report(const std::string& owner,
                                                              const v1::ReportTriesRequest& request) {
  TUNE_RETURN_IF_ERROR(CheckRun(request.run()));
  for (const v1::OnlineSearch& search : request.searches()) TUNE_RETURN_IF_ERROR(CheckSearch(search));
  v1::ReportTriesResponse response;
  absl::MutexLock lock(&mutex_);
  for (const v1::OnlineSearch& search : request.searches()) {
    TUNE_ASSIGN_OR_RETURN(*response.add_study_ids(), Take(owner, request.run(), search));
  }
  return response;
}

absl::StatusOr<v1::Study> OnlineStudies::FindOrAdd(const std::string& owner, const std::string& run,
                                                   const v1::OnlineSearch& search) {
  const std::string request = RequestOf(run, search);
  absl::StatusOr<v1::Study> known = store_->FindRequest(request);
  if (!absl::IsNotFound(known.status())) return known;
  v1::StudySpec spec;
  spec.set_owner(owner);
  const int64_t now = absl::ToUnixMillis(clock_->Now());
  TUNE_ASSIGN_OR_RETURN(v1::Study study, store_->AddStudy(NewStudyOf(owner, search, now), spec, request));
  spdlog::info("study {} ({}) of {}: an application tunes itself on {}", study.id(), study.name(), owner,
               search.device());
  return study;
}

absl::StatusOr<std::string> OnlineStudies::Take(const std::string& owner, const std::string& run,
                                                const v1::OnlineSearch& search) {
  TUNE_ASSIGN_OR_RETURN(v1::Study study, FindOrAdd(owner, run, search));
  if (study.owner() != owner)
    return absl::PermissionDeniedError(absl::StrCat("study ", study.id(), " of this run is another one's"));
  const int64_t known = study.evaluated();
  if (search.first() > known)
    return Refuse(search, absl::StrCat("tries ", known, " to ", search.first() - 1, " are missing"));
  const int64_t now = absl::ToUnixMillis(clock_->Now());
  StudyChange change;
  change.study_id = study.id();
  for (int64_t i = known - search.first(); i < search.tries_size(); ++i) {
    change.candidates.push_back(CandidateOf(search.tries(static_cast<int>(i)), search.first() + i, now));
    CountEvaluation(change.candidates.back().candidate, &study);
  }
  const v1::StudyState before = study.state();
  Conclude(search, now, &study);
  if (IsFinished(study.state())) {
    heard_.erase(study.id());
  } else {
    heard_[study.id()] = clock_->Steady();
  }
  if (change.candidates.empty() && study.state() == before) return study.id();
  change.study = study;
  TUNE_RETURN_IF_ERROR(store_->Apply(change));
  return study.id();
}

absl::StatusOr<v1::Study> OnlineStudies::Get(const std::string& study_id) const {
  if (stopping_) return absl::UnavailableError("the server is stopping");
  return store_->GetStudy(study_id);
}

void OnlineStudies::TakeUp(const std::string& study_id) {
  absl::MutexLock lock(&mutex_);
  heard_[study_id] = clock_->Steady();
}

void OnlineStudies::StopSilent() {
  absl::MutexLock lock(&mutex_);
  for (auto it = heard_.begin(); it != heard_.end();) {
    if (clock_->Steady() - it->second < kSilence) {
      ++it;
      continue;
    }
    const absl::StatusOr<v1::Study> study = store_->GetStudy(it->first);
    StudyChange change;
    change.study_id = it->first;
    if (study.ok()) {
      change.study = *study;
      change.study->set_state(v1::STOPPED);
      change.study->set_finished_unix_ms(absl::ToUnixMillis(clock_->Now()));
      change.study->set_space_note("the application was not heard of for a minute");
    }
    const absl::Status stopped = study.ok() ? store_->Apply(change) : study.status();
    it = stopped.ok() || absl::IsNotFound(stopped) ? heard_.erase(it) : std::next(it);
  }
}

}  // namespace tune
