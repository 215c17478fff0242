#include "worker/cuda/cuda_job.h"

#include <algorithm>

#include "absl/strings/str_format.h"
#include "common/evaluation/measurement.h"
#include "worker/run/unforeseeable.h"

namespace tune {
namespace {

// A first run this long is not slow because of cold caches and clocks.
constexpr double kFirstRunSignificant = 5e-3;
constexpr int kMostDrops = 2;
// Of a job's wall time, what may have passed when a turn ends: the worker's clock began earlier. And how much
// longer than the last one a turn may take.
constexpr double kShareOfWall = 0.9, kMarginOfTurn = 1.5;
// An estimate counts when the candidate is out of the race even if it is so many times faster.
constexpr double kDoubtOfProbe = 2;
// What is known of the kernels of candidates that are so many times slower than the best one: times,
// counters.
constexpr double kWorthTiming = 3, kWorthCounting = 1;

}  // namespace

// One candidate of the job, from loading to its last sample.
class CudaJobRunner::Candidate : public Runnable {
 public:
  explicit Candidate(CudaJobRunner& runner)
      : Runnable(runner.sampling_),
        fresh_run_after(Unforeseeable(runner.sampling_.min_samples())),
        runner_(runner) {}

  bool alive() const override { return verdict.outcome() == v1::CORRECT; }
  void Fail(v1::Outcome outcome, std::string message) override {
    verdict.set_outcome(outcome);
    verdict.set_message(std::move(message));
  }
  double first_seconds() const override { return verdict.first_seconds(); }
  double significant_seconds() const override { return kFirstRunSignificant; }
  absl::StatusOr<std::optional<double>> TimedRun() override { return runner_.TimedRun(*this); }
  absl::Status CheckOutputs() override { return runner_.CheckOutputs(*this); }
  bool FreshRunLeft() const override {
    return alive() && !fresh_run_done && runner_.arrays_->fresh_sets() > 0;
  }
  bool FreshRunDue(int samples) const override { return FreshRunLeft() && fresh_run_after <= samples; }
  absl::Status RunOnFreshInputs() override { return runner_.RunOnFreshInputs(*this); }

  std::unique_ptr<LoadedCandidate> loaded;
  CandidateMemory memory;
  v1::RunnerVerdict verdict;
  const int fresh_run_after;  // so many samples
  bool fresh_run_done = false;
  std::vector<v1::KernelEvaluation> kernels;

 private:
  CudaJobRunner& runner_;
};

CudaJobRunner::~CudaJobRunner() = default;

absl::StatusOr<std::unique_ptr<CudaJobRunner>> CudaJobRunner::Make(int ordinal) {
  std::unique_ptr<CudaJobRunner> runner(new CudaJobRunner);
  TUNE_RETURN_IF_ERROR(runner->LoadTools(ordinal));
  return runner;
}

absl::Status CudaJobRunner::LoadTools(int ordinal) {
  TUNE_ASSIGN_OR_RETURN(session_, DeviceSession::Open(ordinal));
  absl::StatusOr<std::unique_ptr<UtilityKernels>> kernels = UtilityKernels::Make(*session_);
  if (kernels.ok()) {
    kernels_ = *std::move(kernels);
  } else {
    first_notes_.push_back(absl::StrCat("outputs are compared on the host, clocks are not warmed: ",
                                        kernels.status().message()));
  }
  TUNE_ASSIGN_OR_RETURN(compare_, OutputCompare::Make(*session_, kernels_.get()));
  TUNE_ASSIGN_OR_RETURN(warmup_, ClockWarmup::Make(*session_, kernels_.get()));
  TUNE_ASSIGN_OR_RETURN(probe_, LaunchProbe::Make(*session_));
  absl::StatusOr<std::unique_ptr<ThrottleWatch>> throttle = ThrottleWatch::Make(session_->uuid());
  if (throttle.ok()) throttle_ = *std::move(throttle);
  std::string note;
  kernel_timer_ = KernelTimer::Make(*session_, &note);
  if (!note.empty()) first_notes_.push_back(note);
  counters_.emplace(*session_);
  energy_.emplace(*session_);
  kept_ = std::make_unique<KeptArrays>(session_.get(), kernels_.get());
  return absl::OkStatus();
}

v1::CudaResult CudaJobRunner::Run(const v1::CudaJob& job) {
  job_ = &job;
  job_start_ = MonotonicSeconds();
  slowest_first_ = 0;
  sampling_ = FillSampling(job.sampling());
  tolerance_.float_relative = job.float_relative();
  tolerance_.double_relative = job.double_relative();
  result_.Clear();
  device_lost_ = false;
  lost_by_ = -1;
  for (std::string& note : first_notes_) Note(std::move(note));
  first_notes_.clear();

  const absl::Status status = RunSteps();
  for (size_t i = 0; i < candidates_.size(); ++i) {
    if (device_lost_ && static_cast<int>(i) > lost_by_) break;
    Candidate& candidate = *candidates_[i];
    candidate.verdict.mutable_samples()->Add(candidate.rule().samples().begin(),
                                             candidate.rule().samples().end());
    candidate.verdict.mutable_kernels()->Assign(candidate.kernels.begin(), candidate.kernels.end());
    *result_.add_verdicts() = std::move(candidate.verdict);
  }
  if (!status.ok()) {
    result_.clear_verdicts();
    result_.set_failure(std::string(status.message()));
    // What is neither a missing file nor a lack of memory may come from the device's state.
    device_lost_ = absl::IsInternal(status);
    if (!device_lost_) candidates_.clear();  // before what they are bound to
    if (!device_lost_) kept_->ForgetUsed();
  }
  result_.set_device_lost(device_lost_);
  if (!device_lost_) candidates_.clear();  // else the driver is not called any more
  warmup_->NoteWork();
  return result_;
}

absl::Status CudaJobRunner::RunSteps() {
  stage_start_ = MonotonicSeconds();
  // 1. Inputs and expected outputs, unless they are there from the job before.
  TUNE_RETURN_IF_ERROR(LoadArrays());
  // 2. Each candidate: load it, run it once, compare what it left with the reference.
  for (const v1::CudaCandidate& candidate : job_->candidates()) {
    TUNE_RETURN_IF_ERROR(LoadAndCheck(candidate));
    if (device_lost_) return absl::OkStatus();
  }
  drops_ = 0;
  if (candidates_.size() != 1) return MeasureAll();
  // 3. Samples until they suffice.
  Candidate& candidate = *candidates_.front();
  if (candidate.alive() && !job_->record_folder().empty())
    TUNE_RETURN_IF_ERROR(arrays_->Record(job_->record_folder()));
  if (job_->only_record()) return absl::OkStatus();
  TUNE_RETURN_IF_ERROR(MeasureAlone(candidate, *this, sampling_));
  EndStage("samples", candidate);
  // 4. The check again.
  TUNE_RETURN_IF_ERROR(CheckAgain(candidate, *this));
  if (device_lost_) return absl::OkStatus();
  EndStage("check again", candidate);
  // 5. Energy, 6. each kernel's share, and 7. the device's counters: in runs of their own, that no sample is
  // taken from.
  if (job_->energy() && candidate.alive()) TUNE_RETURN_IF_ERROR(MeasureEnergyOf(candidate));
  if (device_lost_) return absl::OkStatus();
  if (job_->kernel_times() && Worthy(kWorthTiming, candidate)) TUNE_RETURN_IF_ERROR(TimeKernels(candidate));
  if (job_->metrics() && Worthy(kWorthCounting, candidate)) TUNE_RETURN_IF_ERROR(CountMetrics(candidate));
  return absl::OkStatus();
}

// Whether more is to be learned of the candidate, for which it may be `times` slower than the best one.
bool CudaJobRunner::Worthy(double times, const Candidate& candidate) const {
  const double best = sampling_.best_seconds();
  return candidate.alive() &&
         (job_->metrics_of_all() || best <= 0 || Median(candidate.rule().samples()) <= times * best);
}

void CudaJobRunner::EndStage(const char* stage, Candidate& candidate) {
  const double now = MonotonicSeconds();
  v1::StageTime* time = candidate.verdict.add_stages();
  time->set_stage(stage);
  time->set_seconds(now - std::exchange(stage_start_, now));
}

absl::Status CudaJobRunner::LoadArrays() {
  TUNE_ASSIGN_OR_RETURN(KeptArrays::Study* const study, kept_->Use(*job_));
  arrays_ = &*study->arrays;
  run_ = &*study->run;
  if (job_->run_seconds() > 0) run_->set_limit_seconds(job_->run_seconds());
  return absl::OkStatus();
}

void CudaJobRunner::Note(std::string note) {
  for (const std::string& present : result_.notes()) {
    if (present == note) return;
  }
  result_.add_notes(std::move(note));
}

bool CudaJobRunner::Accept(Candidate& candidate, const RegionRunEnd& end) {
  warmup_->NoteWork();
  const auto lose = [&] {
    device_lost_ = true;
    for (size_t i = 0; i < candidates_.size(); ++i) {
      if (candidates_[i].get() == &candidate) lost_by_ = static_cast<int>(i);
    }
  };
  switch (end.kind) {
    case RegionRunEnd::Kind::kDone:
      return true;
    case RegionRunEnd::Kind::kRefused:
      candidate.Fail(v1::RUNTIME, end.message);
      return false;
    case RegionRunEnd::Kind::kOutOfMemory:
      candidate.Fail(v1::OOM, end.message);
      return false;
    case RegionRunEnd::Kind::kFault:
      candidate.Fail(v1::RUNTIME, end.message);
      lose();
      return false;
    case RegionRunEnd::Kind::kTimeout:
      candidate.Fail(v1::TIMEOUT, end.message);
      lose();
      return false;
  }
  return false;
}

absl::Status CudaJobRunner::LoadAndCheck(const v1::CudaCandidate& proto) {
  candidates_.push_back(std::make_unique<Candidate>(*this));
  Candidate& candidate = *candidates_.back();
  if (job_->candidates_size() > 1 && !TimeFor(slowest_first_)) {
    candidate.Fail(v1::TIMEOUT, TimeIsOver());
    return absl::OkStatus();
  }
  TUNE_RETURN_IF_ERROR(Load(proto, candidate));
  EndStage("load", candidate);
  if (!candidate.alive()) return absl::OkStatus();
  TUNE_RETURN_IF_ERROR(ProbeBlocks(candidate));
  EndStage("probe", candidate);
  if (!candidate.alive()) return absl::OkStatus();
  TUNE_RETURN_IF_ERROR(FirstRun(candidate));
  EndStage("first run", candidate);
  if (!candidate.alive()) return absl::OkStatus();
  TUNE_RETURN_IF_ERROR(CheckOutputs(candidate));
  EndStage("check", candidate);
  if (candidate.verdict.outcome() != v1::CORRECTNESS) return absl::OkStatus();
  // Perhaps an earlier candidate wrote over the inputs or the expected outputs.
  TUNE_ASSIGN_OR_RETURN(const bool repaired, arrays_->Repair());
  if (!repaired) return absl::OkStatus();
  Note("an earlier candidate had written over the reference on the device; it was copied there again");
  candidate.verdict.clear_message();
  candidate.verdict.set_outcome(v1::CORRECT);
  TUNE_RETURN_IF_ERROR(FirstRun(candidate));
  return candidate.alive() ? CheckOutputs(candidate) : absl::OkStatus();
}

absl::Status CudaJobRunner::Load(const v1::CudaCandidate& proto, Candidate& candidate) {
  absl::StatusOr<std::unique_ptr<LoadedCandidate>> loaded = LoadedCandidate::Load(*session_, proto);
  if (absl::IsResourceExhausted(loaded.status()) && kept_->FreeIdle()) {
    loaded = LoadedCandidate::Load(*session_, proto);
  }
  if (absl::IsNotFound(loaded.status()) || absl::IsUnavailable(loaded.status())) return loaded.status();
  if (!loaded.ok()) {
    candidate.Fail(absl::IsResourceExhausted(loaded.status()) ? v1::OOM : v1::RUNTIME,
                   absl::StrCat("cannot load the candidate: ", loaded.status().message()));
    return absl::OkStatus();
  }
  candidate.loaded = *std::move(loaded);
  absl::StatusOr<CandidateMemory> memory = arrays_->Bind(proto, *candidate.loaded);
  if (absl::IsResourceExhausted(memory.status())) {
    candidate.Fail(v1::OOM, std::string(memory.status().message()));
    return absl::OkStatus();
  }
  if (absl::IsFailedPrecondition(memory.status())) {
    candidate.Fail(v1::RUNTIME, absl::StrCat("cannot load the candidate: ", memory.status().message()));
    return absl::OkStatus();
  }
  TUNE_RETURN_IF_ERROR(memory.status());
  candidate.memory = *std::move(memory);
  TUNE_ASSIGN_OR_RETURN(candidate.kernels, candidate.loaded->Facts());
  candidate.verdict.set_outcome(v1::CORRECT);
  return absl::OkStatus();
}

// Most candidates of a search are far from the best one: a part of their blocks shows it, in a fraction of
// the time that a run takes or that a process costs whose kernel must be ended.
absl::Status CudaJobRunner::ProbeBlocks(Candidate& candidate) {
  if (sampling_.best_seconds() <= 0 || job_->candidates_size() > 1) return absl::OkStatus();
  TUNE_ASSIGN_OR_RETURN(const std::optional<LaunchProbe::Estimate> estimate,
                        probe_->Measure(*candidate.loaded, candidate.memory, *run_));
  if (!estimate.has_value()) return absl::OkStatus();
  // The first run makes room.
  if (estimate->end.kind == RegionRunEnd::Kind::kOutOfMemory) return absl::OkStatus();
  if (!Accept(candidate, estimate->end)) return absl::OkStatus();
  if (estimate->seconds < kFirstRunSignificant) return absl::OkStatus();
  const std::string reason = candidate.rule().HopelessByEstimate(estimate->seconds, kDoubtOfProbe);
  if (!reason.empty()) {
    candidate.Fail(v1::TIMEOUT,
                   absl::StrCat(reason, ", judged by ", estimate->blocks, " of ", estimate->all, " blocks"));
  }
  return absl::OkStatus();
}

absl::Status CudaJobRunner::FirstRun(Candidate& candidate) {
  const double start = MonotonicSeconds();
  TUNE_ASSIGN_OR_RETURN(RegionRunEnd end, run_->First(*candidate.loaded, candidate.memory));
  if (end.kind == RegionRunEnd::Kind::kOutOfMemory && kept_->FreeIdle()) {
    TUNE_ASSIGN_OR_RETURN(end, run_->First(*candidate.loaded, candidate.memory));
  }
  const bool done = Accept(candidate, end);
  if (device_lost_) return absl::OkStatus();
  candidate.verdict.set_first_seconds(end.seconds);
  candidate.set_run_seconds(MonotonicSeconds() - start);
  slowest_first_ = std::max(slowest_first_, candidate.run_seconds());
  TUNE_ASSIGN_OR_RETURN(std::vector<v1::KernelEvaluation> facts, candidate.loaded->Facts());
  if (done) candidate.kernels = std::move(facts);
  return absl::OkStatus();
}

absl::Status CudaJobRunner::CheckOutputs(Candidate& candidate) {
  TUNE_RETURN_IF_ERROR(candidate.memory.copies->TakeBack());
  TUNE_ASSIGN_OR_RETURN(const std::string overrun, arrays_->OverrunArray(candidate.memory));
  if (!overrun.empty()) {
    candidate.Fail(v1::RUNTIME, absl::StrCat("wrote behind the end of array ", overrun));
    return absl::OkStatus();
  }
  TUNE_ASSIGN_OR_RETURN(const std::string changed, arrays_->ChangedInput(*compare_));
  if (!changed.empty()) {
    candidate.Fail(v1::RUNTIME, absl::StrCat("wrote to array ", changed, ", which the region only reads"));
    return absl::OkStatus();
  }
  TUNE_ASSIGN_OR_RETURN(const std::vector<v1::ArrayError> errors, arrays_->Check(*compare_, tolerance_));
  JudgeOutputs(errors, &candidate.verdict);
  warmup_->NoteWork();
  return absl::OkStatus();
}

absl::Status CudaJobRunner::RunOnFreshInputs(Candidate& candidate) {
  candidate.fresh_run_done = true;
  const int set = Unforeseeable(arrays_->fresh_sets());
  TUNE_RETURN_IF_ERROR(arrays_->GiveFresh(set));
  TUNE_ASSIGN_OR_RETURN(const RegionRunEnd end, run_->OnPresent(*candidate.loaded, candidate.memory));
  if (!Accept(candidate, end)) return device_lost_ ? absl::OkStatus() : arrays_->GiveRecorded();
  TUNE_RETURN_IF_ERROR(candidate.memory.copies->TakeBack());
  TUNE_ASSIGN_OR_RETURN(const std::vector<v1::ArrayError> errors,
                        arrays_->CheckFresh(set, *compare_, tolerance_));
  v1::RunnerVerdict on_fresh;
  on_fresh.set_outcome(v1::CORRECT);
  JudgeOutputs(errors, &on_fresh);
  if (on_fresh.outcome() != v1::CORRECT) {
    candidate.Fail(on_fresh.outcome(), absl::StrCat("on inputs that it had not seen: ", on_fresh.message()));
  }
  warmup_->NoteWork();
  return arrays_->GiveRecorded();
}

absl::StatusOr<std::optional<double>> CudaJobRunner::TimedRun(Candidate& candidate) {
  TUNE_ASSIGN_OR_RETURN(const RegionRunEnd end, run_->Timed(*candidate.loaded, candidate.memory));
  if (!Accept(candidate, end)) return std::optional<double>();
  return std::optional<double>(end.seconds);
}

bool CudaJobRunner::Disturbed() {
  const std::string reasons = throttle_ != nullptr ? throttle_->Reasons() : "";
  if (reasons.empty()) return false;
  const bool drop = drops_ < kMostDrops;
  if (drop) ++drops_;
  Note(absl::StrCat("the device throttles (", reasons,
                    "): ", drop ? "samples were dropped and taken again" : "samples were kept all the same"));
  return drop;
}

absl::Status CudaJobRunner::Prepare() {
  TUNE_RETURN_IF_ERROR(warmup_->WarmUp());
  if (candidates_.size() == 1) EndStage("warm up", *candidates_.front());
  return absl::OkStatus();
}

bool CudaJobRunner::TimeFor(double seconds) const {
  const double passed = MonotonicSeconds() - job_start_;
  return job_->wall_seconds() <= 0 || passed + kMarginOfTurn * seconds < kShareOfWall * job_->wall_seconds();
}

std::string CudaJobRunner::TimeIsOver() const {
  return absl::StrFormat("not measured: the %.3g s for %d candidates in turns were over",
                         job_->wall_seconds(), job_->candidates_size());
}

absl::Status CudaJobRunner::MeasureAll() {
  std::vector<Runnable*> runnables;
  for (const std::unique_ptr<Candidate>& candidate : candidates_) runnables.push_back(candidate.get());
  return MeasureInTurns(runnables, *this, sampling_);
}

absl::Status CudaJobRunner::TimeKernels(Candidate& candidate) {
  TUNE_ASSIGN_OR_RETURN(const RegionRunEnd end,
                        kernel_timer_->Measure(*candidate.loaded, candidate.memory, *run_,
                                               Median(candidate.rule().samples()), &candidate.kernels));
  EndStage("kernel times", candidate);
  Accept(candidate, end);
  return absl::OkStatus();
}

absl::Status CudaJobRunner::MeasureEnergyOf(Candidate& candidate) {
  // A step of the counter is at least one run; there are a few of them with the candidate and without.
  if (!TimeFor(EnergyMeter::kSeconds + 4 * candidate.run_seconds())) {
    Note(
        "energy was not measured of a candidate that there was no time for: ask for a longer limit of an "
        "evaluation");
    return absl::OkStatus();
  }
  double joules = 0;
  std::string note;
  TUNE_ASSIGN_OR_RETURN(const RegionRunEnd end,
                        energy_->Measure(*candidate.loaded, candidate.memory, *run_, &joules, &note));
  candidate.verdict.set_joules(joules);
  EndStage("energy", candidate);
  if (!note.empty()) Note(note);
  Accept(candidate, end);
  return absl::OkStatus();
}

absl::Status CudaJobRunner::CountMetrics(Candidate& candidate) {
  std::string note;
  TUNE_ASSIGN_OR_RETURN(const RegionRunEnd end,
                        counters_->Measure(*candidate.loaded, candidate.memory, *run_,
                                           Median(candidate.rule().samples()), &candidate.kernels, &note));
  EndStage("counters", candidate);
  if (!note.empty()) Note(note);
  Accept(candidate, end);
  return absl::OkStatus();
}

}  // namespace tune
