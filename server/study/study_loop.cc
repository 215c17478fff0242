#include "server/study/study_loop.h"

#include <spdlog/spdlog.h>

#include <functional>
#include <optional>
#include <thread>
#include <variant>
#include <vector>

#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "common/decision/configuration.h"
#include "common/evaluation/generator.h"
#include "common/evaluation/objective.h"
#include "common/evaluation/outcome.h"
#include "common/space/shared_space.h"
#include "server/search/search_options.h"
#include "server/study/carving_stage.h"
#include "server/study/finalist_check.h"
#include "server/study/study_cases.h"
#include "server/study/study_metrics.h"

namespace tune {
namespace {

// Candidates handed out and not evaluated: enough for the slots of every worker, few enough to stop soon. The
// ants of one iteration are fewer by default.
constexpr int64_t kOutstanding = 128;
// Proposals beyond those that are handed out, whose inspections are asked for together.
constexpr int kLookAhead = 32;
constexpr absl::Duration kStoreRetry = absl::Seconds(1);

class StudyLoop {
 public:
  StudyLoop(ActiveStudy& study, const SpaceFactory& make_space, const CodeGeneration& generate)
      : study_(study), make_space_(make_space), generate_(generate) {}

  // The table of contents. Before it: the reference run, leased when the study is added.
  void Run() {
    if (!MakeSpace()) return;     // 1. dependences and decisions of the scop (isl)
    if (!Carve()) return;         // 2. what compiled kernels tell of the space, where that is wanted
    if (!MakeStrategy()) return;  // 3. the strategy; news of recorded evaluations bring it up to date
    Discuss();                    // 4. the region for all sizes, where that is wanted
    Search();                     // 5. propose, hand out, observe
    CheckBest();                  // 6. who measured the best few, and their code
    Confirm();                    // 7. measure the best few again: the result
    FinishReplays();              // 8. configurations that users asked for
  }

 private:
  bool searching() const { return study_.state() == v1::SEARCHING && !study_.stopping(); }

  bool MakeSpace() {
    const v1::Study view = study_.View();
    absl::StatusOr<std::unique_ptr<Space>> space =
        make_space_(study_.spec(), view.reference(), view.device());
    if (space.ok()) {
      space_ = *std::move(space);
      carving_.emplace(&study_, space_.get());
      return true;
    }
    const std::string failure =
        absl::StrCat(study_.spec().has_kernel() ? "the space of configurations cannot be made: "
                                                : "the region cannot be analysed: ",
                     space.status().message());
    InStore([&] { return study_.Fail(failure, ""); });
    for (const auto& request : study_.TakeRequests()) {
      study_.Answer(request, absl::FailedPreconditionError(failure));
    }
    return false;
  }

  // Configurations that are inspected before the search. False when the study has failed.
  bool Carve() {
    if (!InStore([&] { return carving_->Begin(); })) return true;
    while (searching() && !carving_->is_surveyed()) TakeIn(true);
    if (!carving_->is_surveyed()) return true;
    const absl::Status status = carving_->Carve();
    if (status.ok() || absl::IsCancelled(status) || !searching()) return true;
    InStore([&] { return study_.Fail(std::string(status.message()), ""); });
    return false;
  }

  void Discuss() {
    if (searching()) InStore([&] { return MakeCases(study_, generate_); });
  }

  bool MakeStrategy() {
    absl::StatusOr<std::unique_ptr<Strategy>> strategy = NewStrategy();
    if (strategy.ok()) {
      strategy_ = *std::move(strategy);
      return true;
    }
    InStore([&] { return study_.Fail(std::string(strategy.status().message()), ""); });
    return false;
  }

  // As it is before the first candidate.
  absl::StatusOr<std::unique_ptr<Strategy>> NewStrategy() {
    std::vector<v1::Configuration> seeds(study_.spec().seeds().begin(), study_.spec().seeds().end());
    if (study_.spec().generator() == kSharedGenerator) {
      const std::vector<v1::Configuration> always = SharedSeeds();
      seeds.insert(seeds.end(), always.begin(), always.end());
    }
    if (study_.spec().search().strategy() == kCarvingStrategy) {
      const std::vector<v1::Configuration> kept = carving_->KeptBestFirst();
      seeds.insert(seeds.end(), kept.begin(), kept.end());
    }
    // What is known elsewhere are times.
    std::vector<v1::KnownResults> known;
    if (IsTimeObjective(study_.spec().search()))
      known.assign(study_.spec().known().begin(), study_.spec().known().end());
    return tune::MakeStrategy(study_.spec().search(), space_.get(), std::move(seeds), known);
  }

  // What was learned is stored at the end: to make it again takes a walk of every candidate.
  void Search() {
    if (!searching()) return;
    has_searched_ = true;
    bool more = true;
    while (more && searching()) {
      TakeIn(false);
      if (HasBudget() && study_.CountOutstanding() < kOutstanding && ProposeOne()) continue;
      if (!searching()) break;
      if (study_.CountOutstanding() + study_.CountInspecting() > 0) {
        TakeIn(true);
      } else {
        more = HasBudget() && !exhausted_;
      }
    }
    // The last evaluations may have come after the last look for news.
    TakeIn(false);
    InStore([&] { return study_.KeepSearchState(strategy_->ExplainState()); });
  }

  // Candidates of the search that take of its budget.
  int64_t CountMeasured() const { return study_.CountSearched() - study_.CountCarved(); }

  // Of evaluations and of time.
  bool HasBudget() {
    const v1::SearchOptions& search = study_.spec().search();
    if (CountMeasured() >= search.evaluations()) return false;
    out_of_time_ = search.seconds() > 0 && study_.SearchTime() >= absl::Seconds(search.seconds());
    return !out_of_time_;
  }

  // Adds the next candidate; false when the strategy waits for observations, or an inspection is waited for,
  // or the space is exhausted.
  bool ProposeOne() {
    const int64_t next = study_.CountSearched();
    const Proposals proposals = strategy_->ProposeAt(next);
    // A strategy that was looked at ahead has drawn its last candidates before they are added here.
    exhausted_ = proposals.exhausted && proposals.candidates.empty();
    if (proposals.candidates.empty()) return false;
    const Proposal& proposal = proposals.candidates[0];
    const CarvingFate fate = carving_->FateOf(proposal);
    if (fate.kind == CarvingFate::kUnknown) {
      carving_->LookAhead(strategy_->Propose(static_cast<int>(study_.CountOutstanding()) + kLookAhead));
      return false;
    }
    v1::Candidate candidate;
    candidate.set_index(next);
    candidate.set_origin(v1::SEARCH);
    *candidate.mutable_configuration() = proposal.configuration;
    v1::Evaluation known;
    if (!proposal.failure.ok()) {
      known.set_outcome(v1::COMPILE);
      known.set_message(absl::StrCat("no schedule: ", proposal.failure.message()));
    } else if (fate.kind == CarvingFate::kCarved) {
      known.set_outcome(v1::CARVED);
      known.set_message(fate.reason);
    }
    const bool is_known = known.outcome() != v1::OUTCOME_UNSPECIFIED;
    return InStore([&] { return study_.AddCandidate(candidate, is_known ? &known : nullptr); });
  }

  // All that has come; with `wait` sleeps until there is something. A part is observed while the next is
  // read: after a restart there are many.
  void TakeIn(bool wait) {
    Take(wait, &news_);
    while (news_.more && !study_.stopping()) {
      std::thread reader([this] { Take(false, &next_news_); });
      Observe(news_);
      reader.join();
      std::swap(news_, next_news_);
    }
    Observe(news_);
  }

  // Tries until the store can be read; nothing when the server stops before.
  void Take(bool wait, ActiveStudy::News* news) {
    absl::Status status = study_.TakeNews(wait, news);
    while (!status.ok() && !study_.stopping()) {
      spdlog::error("study {}: {}; trying again", study_.id(), std::string(status.message()));
      absl::SleepFor(kStoreRetry);
      status = study_.TakeNews(false, news);
    }
    if (!status.ok()) *news = {};
  }

  void Observe(const ActiveStudy::News& news) {
    carving_->Take(news.inspected);
    for (size_t i = 0; i < news.evaluated.size(); ++i) {
      if (const absl::Status status =
              strategy_->Observe(ByObjective(study_.spec().search(), news.evaluated[i]));
          !status.ok()) {
        spdlog::error("study {}: {}", study_.id(), std::string(status.message()));
      }
    }
    for (const auto& request : news.requests) {
      study_.Answer(request, std::visit([&](const auto& wanted) { return Answer(wanted); }, request->wanted));
    }
  }

  absl::StatusOr<LoopRequest::Answer> Answer(const v1::ReplayRequest& request) {
    ReplayChooser replay(request.configuration());
    RecordingChooser recording(&replay);
    TUNE_RETURN_IF_ERROR(space_->Walk(recording));
    TUNE_RETURN_IF_ERROR(replay.CheckAllUsed());
    v1::Candidate candidate;
    candidate.set_origin(v1::REPLAY);
    *candidate.mutable_configuration() = recording.configuration();
    if (request.has_diagnosis()) *candidate.mutable_diagnosis() = request.diagnosis();
    TUNE_ASSIGN_OR_RETURN(const int64_t index, study_.AddReplay(candidate));
    return index;
  }

  // A strategy is brought to where it was before the candidate; that of the study goes on undisturbed, and
  // knows what it has learned.
  absl::StatusOr<LoopRequest::Answer> Answer(const v1::ExplainRequest& request) {
    const int64_t index = request.index_plus_one() - 1;
    if (index < 0 && has_searched_) return strategy_->ExplainState();
    TUNE_ASSIGN_OR_RETURN(const std::unique_ptr<Strategy> strategy, NewStrategy());
    TUNE_RETURN_IF_ERROR(study_.VisitEvaluated(index < 0 ? INT64_MAX : index, [&](const auto& candidate) {
      return strategy->Observe(ByObjective(study_.spec().search(), candidate));
    }));
    if (index < 0) return strategy->ExplainState();
    TUNE_ASSIGN_OR_RETURN(v1::Explanation explanation, strategy->ExplainNext());
    if (explanation.index() != index) {
      return absl::FailedPreconditionError(
          absl::StrCat("candidates before ", index,
                       " have no evaluation yet, and the draw depends on them; ask again later"));
    }
    return explanation;
  }

  // What of the space is worth knowing; mostly nothing.
  std::string SpaceNote() const {
    std::vector<std::string> notes;
    const int64_t searched = CountMeasured();
    const int64_t budget = study_.spec().search().evaluations();
    if (const std::string note = carving_->Note(); !note.empty()) notes.push_back(note);
    if (carving_->active()) {
      if (exhausted_ && searched < budget) notes.push_back("all that carving left was measured");
    } else if (exhausted_ && searched < budget) {
      notes.push_back(absl::StrCat("the space has ", searched,
                                   " configurations: all were evaluated before the budget of ", budget,
                                   " was used"));
    }
    if (out_of_time_) {
      notes.push_back(absl::StrCat("the search ended after its budget of ", study_.spec().search().seconds(),
                                   " s, with ", searched, " of ", budget, " evaluations"));
    }
    if (const int foreign = strategy_->ForeignSeeds(); foreign > 0) {
      notes.push_back(absl::StrCat(
          foreign, " of ", study_.spec().seeds_size(), " known configurations ",
          foreign == 1 ? "is not of this space and was" : "are not of this space and were", " left out"));
    }
    return absl::StrJoin(notes, "; ");
  }

  void CheckBest() {
    bool settled = false;
    while (!settled && searching()) {
      if (study_.CountOutstanding() > 0) {
        TakeIn(true);
        continue;
      }
      InStore([&] {
        const absl::StatusOr<bool> checked = CheckFinalists(study_, generate_);
        settled = checked.ok() && *checked;
        return checked.status();
      });
    }
  }

  void Confirm() {
    const std::string note = SpaceNote();
    if (searching()) InStore([&] { return study_.BeginConfirmation(note); });
    while (study_.state() == v1::CONFIRMING && !study_.stopping()) TakeIn(true);
  }

  void FinishReplays() {
    TakeIn(false);
    while (!study_.stopping() && study_.CountOutstandingReplays() > 0) TakeIn(true);
  }

  // Tries until the store takes it (a full disk is emptied), the study has ended, or the server stops.
  bool InStore(const std::function<absl::Status()>& write) {
    while (!study_.stopping()) {
      const absl::Status status = write();
      if (status.ok()) return true;
      if (absl::IsCancelled(status)) return false;
      spdlog::error("study {}: {}; trying again", study_.id(), std::string(status.message()));
      absl::SleepFor(kStoreRetry);
    }
    return false;
  }

  ActiveStudy& study_;
  const SpaceFactory& make_space_;
  const CodeGeneration& generate_;
  std::unique_ptr<Space> space_;
  std::optional<CarvingStage> carving_;
  std::unique_ptr<Strategy> strategy_;
  ActiveStudy::News news_, next_news_;
  bool exhausted_ = false;  // every configuration of the space has its candidate
  bool out_of_time_ = false;
  bool has_searched_ = false;  // the strategy has been told all evaluations that were taken in
};

}  // namespace

void RunStudyLoop(ActiveStudy& study, const SpaceFactory& make_space, const CodeGeneration& generate) {
  StudyLoop(study, make_space, generate).Run();
}

}  // namespace tune
