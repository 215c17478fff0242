// The parts of ActiveStudy that deal with inspections: configurations that are compiled and not run.
#include <spdlog/spdlog.h>

#include "server/study/active_study.h"
#include "server/study/inspected_kernels.h"

namespace tune {

int64_t ActiveStudy::CountCarved() const {
  Lock lock(&mutex_);
  return carved_;
}

absl::StatusOr<std::vector<v1::Inspection>> ActiveStudy::Inspections() const {
  return store_->ListInspections(id_);
}

absl::Status ActiveStudy::PlanInspections(int planned, bool whole_space) {
  Lock lock(&mutex_);
  if (Finished()) return absl::CancelledError("the study has ended");
  v1::Study next = view_;
  next.mutable_inspections()->set_planned(planned);
  next.mutable_inspections()->set_whole_space(whole_space);
  return Commit(std::move(next), {});
}

void ActiveStudy::Inspect(int64_t index, const v1::Configuration& configuration) {
  Lock lock(&mutex_);
  if (Finished()) return;
  inspecting_[index] = configuration;
  dispatcher_->AddTask({number_, TaskKind::kInspect, index});
}

int64_t ActiveStudy::CountInspecting() const {
  Lock lock(&mutex_);
  return static_cast<int64_t>(inspecting_.size());
}

absl::Status ActiveStudy::TellRemoved(int removed) {
  Lock lock(&mutex_);
  if (Finished()) return absl::CancelledError("the study has ended");
  v1::Study next = view_;
  next.mutable_inspections()->set_removed(removed);
  return Commit(std::move(next), {});
}

absl::Status ActiveStudy::AcceptInspection(int64_t index, v1::Inspection told, const std::string& worker) {
  const auto asked = inspecting_.find(index);
  if (asked == inspecting_.end()) return absl::OkStatus();
  told.set_index(index);
  if (const absl::Status status = CheckInspection(told); !status.ok()) {
    spdlog::warn("study {}: worker {}: {}; refused", id_, worker, std::string(status.message()));
    told.Clear();
    told.set_index(index);
    told.set_unknown("the worker sent figures that are none");
  }
  *told.mutable_configuration() = asked->second;
  told.set_worker(worker);
  v1::Study next = view_;
  v1::InspectionSummary* const summary = next.mutable_inspections();
  summary->set_inspected(summary->inspected() + 1);
  if (!told.failure().empty()) summary->set_failed(summary->failed() + 1);
  TUNE_RETURN_IF_ERROR(Commit(std::move(next), {}, {told}));
  inspecting_.erase(asked);
  inspected_.push_back(std::move(told));
  return absl::OkStatus();
}

}  // namespace tune
