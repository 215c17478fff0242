#include "server/dashboard/candidate_table.h"

#include <algorithm>

#include "absl/time/clock.h"
#include "common/evaluation/objective.h"
#include "common/evaluation/outcome.h"

namespace tune {
namespace {

constexpr size_t kMostTables = 24;
constexpr size_t kLongestMessage = 300;
constexpr int kPage = 1000;

bool IsFinal(const CandidateRow& row) { return row.state == v1::EVALUATED || row.state == v1::POISONED; }

// The place of a name in the list, where it is added when it is new.
int NumberOf(const std::string& name, std::vector<std::string>* names) {
  const auto found = std::find(names->begin(), names->end(), name);
  if (found != names->end()) return static_cast<int>(found - names->begin());
  names->push_back(name);
  return static_cast<int>(names->size()) - 1;
}

CandidateRow MakeRow(const v1::SearchOptions& search, const v1::Candidate& candidate, CandidateTable* table) {
  const v1::Evaluation& evaluation = candidate.evaluation();
  CandidateRow row;
  row.index = candidate.index();
  row.origin = candidate.origin();
  row.state = candidate.state();
  row.created_unix_ms = candidate.created_unix_ms();
  row.evaluated_unix_ms = candidate.evaluated_unix_ms();
  if (!candidate.has_evaluation()) return row;
  row.outcome = evaluation.outcome();
  row.seconds = evaluation.measurement().median();
  row.confidence_low = evaluation.measurement().confidence_low();
  row.confidence_high = evaluation.measurement().confidence_high();
  row.duplicate_of = evaluation.duplicate_of_plus_one() - 1;
  row.worker = evaluation.worker();
  row.message = evaluation.message().substr(0, kLongestMessage);
  for (const v1::StageTime& stage : evaluation.stages())
    row.stages.emplace_back(NumberOf(stage.stage(), &table->stages), stage.seconds());
  row.joules = evaluation.measurement().joules();
  for (const v1::MetricValue& metric : evaluation.metrics())
    row.metrics.emplace_back(NumberOf(metric.name(), &table->metrics), metric.value());
  if (evaluation.outcome() != v1::CORRECT) return row;
  row.objective = QuantityOf(ObjectiveOf(search), evaluation.measurement(), evaluation.metrics());
  row.cost = CostOf(search, evaluation.measurement(), evaluation.metrics());
  return row;
}

}  // namespace

void FollowBest(std::vector<CandidateRow>* rows) {
  std::vector<CandidateRow*> order;
  for (CandidateRow& row : *rows) {
    row.best_so_far = 0;
    const bool counts = row.origin != v1::REPLAY && IsFinal(row) && IsOfARun(row.outcome);
    if (counts) order.push_back(&row);
  }
  std::stable_sort(order.begin(), order.end(), [](const CandidateRow* a, const CandidateRow* b) {
    return a->evaluated_unix_ms < b->evaluated_unix_ms;
  });
  const CandidateRow* best = nullptr;
  for (CandidateRow* row : order) {
    const bool known = row->outcome == v1::CORRECT && row->cost > 0;
    if (known && (best == nullptr || row->cost < best->cost)) best = row;
    row->best_so_far = best == nullptr ? 0 : best->objective;
  }
}

std::shared_ptr<CandidateTables::Entry> CandidateTables::Find(const std::string& study_id) {
  absl::MutexLock lock(&mutex_);
  recent_.remove(study_id);
  recent_.push_front(study_id);
  if (recent_.size() > kMostTables) {
    entries_.erase(recent_.back());
    recent_.pop_back();
  }
  std::shared_ptr<Entry>& entry = entries_[study_id];
  if (entry == nullptr) entry = std::make_shared<Entry>();
  return entry;
}

absl::Status CandidateTables::Refresh(const v1::Study& study, Entry& entry) const {
  const std::vector<CandidateRow>& old = entry.table->rows;
  // Replays have indices far behind those of the search, which goes on: they are read again.
  auto open = old.begin();
  while (open != old.end() && IsFinal(*open) && open->index == open - old.begin()) ++open;
  auto table = std::make_shared<CandidateTable>();
  table->stages = entry.table->stages;
  table->metrics = entry.table->metrics;
  table->rows.assign(old.begin(), open);
  v1::ListCandidatesRequest request;
  request.set_study_id(study.id());
  request.set_page_size(kPage);
  bool more = true, changed = open != old.end();
  while (more) {
    request.set_first_index(table->rows.empty() ? 0 : table->rows.back().index + 1);
    TUNE_ASSIGN_OR_RETURN(const v1::ListCandidatesResponse page, coordinator_->ListCandidates(request));
    for (const v1::Candidate& candidate : page.candidates()) {
      table->rows.push_back(MakeRow(study.search(), candidate, table.get()));
    }
    changed |= !page.candidates().empty();
    more = page.more();
  }
  if (!changed) return absl::OkStatus();
  FollowBest(&table->rows);
  entry.table = std::move(table);
  return absl::OkStatus();
}

absl::StatusOr<std::shared_ptr<const CandidateTable>> CandidateTables::Get(const std::string& study_id) {
  // Also what refuses an unknown study, which has no candidates either.
  TUNE_ASSIGN_OR_RETURN(const v1::Study study, coordinator_->GetStudy(study_id));
  const std::shared_ptr<Entry> entry = Find(study_id);
  absl::MutexLock lock(&entry->mutex);
  const absl::Time now = absl::Now();
  if (now - entry->read >= freshness_ || now < entry->read) {
    TUNE_RETURN_IF_ERROR(Refresh(study, *entry));
    entry->read = now;
  }
  return entry->table;
}

}  // namespace tune
