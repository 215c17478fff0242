#include "server/study/carving_stage.h"

#include <algorithm>

#include "common/decision/configuration.h"
#include "common/evaluation/outcome.h"
#include "server/search/search_options.h"
#include "server/search/uniform_search.h"

namespace tune {

CarvingStage::CarvingStage(ActiveStudy* study, Space* space)
    : study_(*study), space_(*space), search_(study->spec().search()), options_(search_.carve()) {}

absl::Status CarvingStage::Begin() {
  if (!active()) return absl::OkStatus();
  TUNE_ASSIGN_OR_RETURN(const std::vector<v1::Inspection> stored, study_.Inspections());
  const v1::Study view = study_.View();
  planned_ = unknown_ = view.inspections().planned();
  next_ = planned_;
  known_.clear();
  inspections_.clear();
  Take(stored);
  if (view.state() != v1::SEARCHING || study_.stopping() || options_.keep_all()) return absl::OkStatus();
  return planned_ == 0 || unknown_ > 0 ? Survey() : absl::OkStatus();
}

absl::Status CarvingStage::Survey() {
  const int64_t limit = options_.inspections();
  UniformSearch sampler(search_.seed(), &space_);
  std::vector<v1::Configuration> drawn;
  bool whole_space = false;
  // Walks that lead to no configuration are among those drawn.
  for (int64_t i = 0; i < 2 * limit + 100 && static_cast<int64_t>(drawn.size()) <= limit; ++i) {
    if (study_.stopping() || study_.state() != v1::SEARCHING) return absl::OkStatus();
    Proposals proposals = sampler.ProposeAt(i);
    whole_space = proposals.candidates.empty();
    if (whole_space) break;
    if (proposals.candidates[0].failure.ok())
      drawn.push_back(std::move(proposals.candidates[0].configuration));
  }
  const bool only_survey = whole_space || search_.strategy() == kCarvingStrategy;
  const int64_t most = only_survey ? limit : std::max<int64_t>(1, limit / 2);
  if (static_cast<int64_t>(drawn.size()) > most) drawn.resize(most);
  planned_ = unknown_ = static_cast<int64_t>(drawn.size());
  next_ = std::max(next_, planned_);
  TUNE_RETURN_IF_ERROR(study_.PlanInspections(static_cast<int>(planned_), whole_space));
  for (int64_t i = 0; i < planned_; ++i) {
    const auto known = inspections_.find(i);
    const bool same =
        known != inspections_.end() &&
        ConfigurationFingerprint(known->second.configuration()) == ConfigurationFingerprint(drawn[i]);
    same ? void(--unknown_) : Ask(i, drawn[i]);
  }
  return absl::OkStatus();
}

void CarvingStage::Ask(int64_t index, const v1::Configuration& configuration) {
  Known& asked = known_[ConfigurationFingerprint(configuration)];
  asked = {};
  asked.index = index;
  next_ = std::max(next_, index + 1);
  study_.Inspect(index, configuration);
}

void CarvingStage::Take(const std::vector<v1::Inspection>& inspected) {
  for (const v1::Inspection& inspection : inspected) {
    Known& known = known_[ConfigurationFingerprint(inspection.configuration())];
    if (known.done) continue;
    known.index = inspection.index();
    known.done = true;
    next_ = std::max(next_, known.index + 1);
    if (known.index < planned_) --unknown_;
    inspections_[known.index] = inspection;
    if (judge_.has_value()) Judge(inspection, &known);
  }
}

void CarvingStage::Judge(const v1::Inspection& inspection, Known* known) {
  known->verdict = known->index < planned_ ? judge_->verdicts()[known->index] : judge_->VerdictOn(inspection);
}

absl::Status CarvingStage::Carve() {
  if (!active() || options_.keep_all()) return absl::OkStatus();
  std::vector<v1::Inspection> surveyed;
  for (const auto& [index, inspection] : inspections_) {
    if (index < planned_) surveyed.push_back(inspection);
  }
  TUNE_ASSIGN_OR_RETURN(judge_, CarvingJudge::Make(options_, study_.View().device(), std::move(surveyed)));
  for (const auto& [index, inspection] : inspections_)
    Judge(inspection, &known_[ConfigurationFingerprint(inspection.configuration())]);
  if (study_.state() != v1::SEARCHING) return absl::OkStatus();
  const auto& verdicts = judge_->verdicts();
  const auto removed = std::count_if(verdicts.begin(), verdicts.end(),
                                     [](const CarvingVerdict& verdict) { return verdict.removed; });
  return study_.TellRemoved(static_cast<int>(removed));
}

std::vector<v1::Configuration> CarvingStage::KeptBestFirst() const {
  std::vector<v1::Configuration> kept;
  if (!judge_.has_value()) return kept;
  for (const size_t i : judge_->kept_best_first())
    kept.push_back(inspections_.at(static_cast<int64_t>(i)).configuration());
  return kept;
}

bool CarvingStage::NeedsInspection(const Proposal& proposal) const {
  if (!active() || !proposal.failure.ok()) return false;
  return proposal.index > 0 || options_.keep_all();
}

CarvingFate CarvingStage::FateOf(const Proposal& proposal) {
  if (!NeedsInspection(proposal)) return {};
  const auto known = known_.find(ConfigurationFingerprint(proposal.configuration));
  if (known == known_.end()) {
    limit_reached_ = limit_reached_ || next_ >= options_.inspections();
    if (limit_reached_) return {};
    Ask(next_, proposal.configuration);
    return {CarvingFate::kUnknown, ""};
  }
  if (!known->second.done) return {CarvingFate::kUnknown, ""};
  const CarvingVerdict& verdict = known->second.verdict;
  if (!verdict.removed) return {};
  return {CarvingFate::kCarved, verdict.reason};
}

void CarvingStage::LookAhead(const Proposals& proposals) {
  for (const Proposal& proposal : proposals.candidates) FateOf(proposal);
}

std::string CarvingStage::Note() const {
  if (!limit_reached_) return "";
  return absl::StrCat("after the limit of ", options_.inspections(),
                      " inspections configurations were measured without one; --inspections allows more");
}

}  // namespace tune
