#include "server/dashboard/study_index.h"

#include <set>

#include "absl/time/clock.h"
#include "common/evaluation/outcome.h"

namespace tune {
namespace {

constexpr size_t kMostGone = 10'000;

}  // namespace

void StudyIndex::Keep(v1::Study study) {
  const absl::StatusOr<int64_t> number = StudyNumberOf(study.id());
  if (!number.ok()) return;
  std::shared_ptr<const IndexedStudy>& entry = studies_[*number];
  if (entry != nullptr && entry->study.SerializeAsString() == study.SerializeAsString()) return;
  entry = std::make_shared<const IndexedStudy>(IndexedStudy{std::move(study), ++version_});
}

void StudyIndex::Forget(int64_t number) {
  studies_.erase(number);
  const std::string id = StudyIdOf(number);
  scops_.erase(id);
  if (gone_.size() >= kMostGone) gone_.clear();
  gone_[id] = ++version_;
}

// Pages are small at first: mostly the newest study is known.
absl::Status StudyIndex::ReadNew() {
  const int64_t newest = studies_.empty() ? 0 : studies_.begin()->first;
  v1::ListStudiesRequest request;
  request.set_page_size(newest == 0 ? 1000 : 1);
  while (true) {
    TUNE_ASSIGN_OR_RETURN(v1::ListStudiesResponse page, coordinator_->ListStudies(request));
    for (v1::Study& study : *page.mutable_studies()) {
      const absl::StatusOr<int64_t> number = StudyNumberOf(study.id());
      if (number.ok() && *number <= newest) return absl::OkStatus();
      Keep(std::move(study));
    }
    if (page.next_page_token().empty()) return absl::OkStatus();
    request.set_page_token(page.next_page_token());
    request.set_page_size(std::min(1000, request.page_size() * 10));
  }
}

absl::Status StudyIndex::ReadUnfinished() {
  std::vector<int64_t> unfinished;
  for (const auto& [number, entry] : studies_) {
    if (!IsFinished(entry->study.state())) unfinished.push_back(number);
  }
  for (const int64_t number : unfinished) {
    absl::StatusOr<v1::Study> study = coordinator_->GetStudy(StudyIdOf(number));
    if (absl::IsNotFound(study.status())) {
      Forget(number);
    } else {
      TUNE_RETURN_IF_ERROR(study.status());
      Keep(*std::move(study));
    }
  }
  return absl::OkStatus();
}

absl::Status StudyIndex::ReadAll() {
  std::set<int64_t> found;
  v1::ListStudiesRequest request;
  request.set_page_size(1000);
  do {
    TUNE_ASSIGN_OR_RETURN(v1::ListStudiesResponse page, coordinator_->ListStudies(request));
    for (v1::Study& study : *page.mutable_studies()) {
      if (const auto number = StudyNumberOf(study.id()); number.ok()) found.insert(*number);
      Keep(std::move(study));
    }
    request.set_page_token(page.next_page_token());
  } while (!request.page_token().empty());
  std::vector<int64_t> gone;
  for (const auto& [number, entry] : studies_) {
    if (found.count(number) == 0) gone.push_back(number);
  }
  for (const int64_t number : gone) Forget(number);
  return absl::OkStatus();
}

absl::Status StudyIndex::Refresh() {
  const absl::Time now = absl::Now();
  if (now - refreshed_ < freshness_ && now >= refreshed_) return absl::OkStatus();
  TUNE_RETURN_IF_ERROR(ReadNew());
  TUNE_RETURN_IF_ERROR(ReadUnfinished());
  TUNE_ASSIGN_OR_RETURN(const v1::ServerInfo info, coordinator_->Info());
  if (info.studies() != static_cast<int64_t>(studies_.size())) TUNE_RETURN_IF_ERROR(ReadAll());
  refreshed_ = now;
  return absl::OkStatus();
}

absl::StatusOr<StudyIndex::List> StudyIndex::All() {
  absl::MutexLock lock(&mutex_);
  TUNE_RETURN_IF_ERROR(Refresh());
  List list;
  for (const auto& [number, entry] : studies_) list.push_back(entry);
  return list;
}

absl::StatusOr<std::vector<std::string>> StudyIndex::ChangedSince(uint64_t* version) {
  absl::MutexLock lock(&mutex_);
  TUNE_RETURN_IF_ERROR(Refresh());
  std::vector<std::string> changed;
  for (const auto& [number, entry] : studies_) {
    if (entry->version > *version) changed.push_back(entry->study.id());
  }
  for (const auto& [id, when] : gone_) {
    if (when > *version) changed.push_back(id);
  }
  *version = version_;
  return changed;
}

absl::StatusOr<std::string> StudyIndex::ScopOf(const std::string& study_id) {
  absl::MutexLock lock(&mutex_);
  if (const auto found = scops_.find(study_id); found != scops_.end()) return found->second;
  TUNE_ASSIGN_OR_RETURN(const std::vector<StudyKey> keys, coordinator_->store().ListKeys());
  for (const StudyKey& key : keys) scops_[key.study_id] = key.scop;
  if (const auto found = scops_.find(study_id); found != scops_.end()) return found->second;
  return absl::NotFoundError(absl::StrCat("no study '", study_id, "' on this server"));
}

}  // namespace tune
