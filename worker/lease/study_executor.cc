#include "worker/lease/study_executor.h"

#include <spdlog/spdlog.h>

#include <algorithm>

#include "absl/time/clock.h"
#include "common/evaluation/generator.h"
#include "worker/evaluate/shared_target.h"
#include "worker/ppcg/ppcg_code_generator.h"

namespace tune {
namespace {

// A study's schedules can be large; servers work on few studies of one device at a time.
constexpr size_t kKeptStudies = 8;
constexpr size_t kLogLimit = 64 << 10;
constexpr absl::Duration kSetupPatience = absl::Seconds(30);
constexpr absl::Duration kSetupPause = absl::Milliseconds(250);

std::string LogTail(std::string log) {
  if (log.size() > kLogLimit) log.erase(0, log.size() - kLogLimit);
  for (char& c : log) {
    if (static_cast<unsigned char>(c) >= 0x80 || c == '\0') c = '?';  // the field is text
  }
  return log;
}

// The kinds of trouble after which the lease is given back; all else is for the study's owner to know.
bool IsDrop(const absl::Status& status) { return absl::IsCancelled(status); }

v1::ReferenceResult Failure(const absl::Status& status, const std::string& log) {
  v1::ReferenceResult result;
  const std::string text = LogTail(std::string(status.message()));
  result.set_failure(text.substr(0, text.find('\n')));
  result.set_log(LogTail(log));
  return result;
}

HostUse UseOfHost(const v1::StudySetup& setup, const v1::Lease& lease) {
  if (setup.target() == v1::CPU || setup.generator() == kSharedGenerator) return HostUse::kAlone;
  // A confirmation runs the whole program, too.
  return lease.has_reference() || lease.has_confirm() ? HostUse::kOriginal : HostUse::kCandidate;
}

// Times of the original program are those of a host on which others worked.
void TellOthers(v1::LeaseResult* result) {
  if (result->reference().has_reference()) result->mutable_reference()->set_beside_others(true);
  if (result->confirm().has_check()) result->mutable_confirm()->mutable_check()->set_beside_others(true);
}

}  // namespace

StudyExecutor::StudyExecutor(const StudyExecutorOptions& options, Transport* transport, Compiler* compiler,
                             Runner* runner, EvaluatorFactory factory)
    : options_(options),
      transport_(transport),
      compiler_(compiler),
      runner_(runner),
      factory_(std::move(factory)),
      references_(options.cache_folder + "/references") {}

void StudyExecutor::ForgetStudies() {
  absl::MutexLock lock(&mutex_);
  studies_.clear();
}

absl::StatusOr<v1::LeaseResult> StudyExecutor::Execute(const v1::Lease& lease, const TaskControl& control) {
  TUNE_ASSIGN_OR_RETURN(const StudyPointer study,
                        FindStudy(lease.study_id(), !lease.has_reference(), control));
  // With one slot nobody else is here anyway.
  const HostTurns::Turn turn(&host_, UseOfHost(study->setup, lease));
  absl::StatusOr<v1::LeaseResult> result = RunLease(study, lease, control);
  if (result.ok() && turn.beside_others()) TellOthers(&*result);
  return result;
}

absl::StatusOr<v1::LeaseResult> StudyExecutor::RunLease(const StudyPointer& study, const v1::Lease& lease,
                                                        const TaskControl& control) {
  if (control.cancelled()) return absl::CancelledError("cancelled");
  v1::LeaseResult result;
  if (lease.has_reference()) {
    TUNE_ASSIGN_OR_RETURN(*result.mutable_reference(), RunReferenceTask(*study, control));
    return result;
  }
  if (lease.has_inspect()) {
    *result.mutable_inspect() = Inspect(study.get(), lease.inspect(), control);
    if (control.cancelled()) return absl::CancelledError("cancelled");
    return result;
  }
  std::string log;
  const absl::StatusOr<Evaluator*> evaluator = PrepareEvaluator(study.get(), control, &log);
  if (control.cancelled() || IsDrop(evaluator.status())) return absl::CancelledError("cancelled");
  if (!evaluator.ok()) {
    *result.mutable_reference() = Failure(evaluator.status(), log);
    return result;
  }
  if (lease.has_confirm()) {
    *result.mutable_confirm() = (*evaluator)->Confirm(lease.confirm(), control);
  } else {
    result.mutable_evaluate()->set_candidate_index(lease.evaluate().candidate_index());
    *result.mutable_evaluate()->mutable_evaluation() = (*evaluator)->Evaluate(lease.evaluate(), control);
  }
  if (control.cancelled()) return absl::CancelledError("cancelled");
  return result;
}

StudyExecutor::StudyPointer StudyExecutor::KeptStudy(const std::string& study_id, bool needs_reference) {
  absl::MutexLock lock(&mutex_);
  const auto found = std::find_if(studies_.begin(), studies_.end(), [&](const StudyPointer& study) {
    return study->setup.study_id() == study_id;
  });
  if (found == studies_.end()) return nullptr;
  if (!needs_reference || !(*found)->setup.has_reference()) {
    studies_.erase(found);
    return nullptr;
  }
  studies_.splice(studies_.begin(), studies_, found);
  return studies_.front();
}

absl::StatusOr<StudyExecutor::StudyPointer> StudyExecutor::FindStudy(const std::string& study_id,
                                                                     bool needs_reference,
                                                                     const TaskControl& control) {
  // One thread at a time asks, so that the leases of a study that come together share it.
  absl::MutexLock asking(&asking_);
  if (StudyPointer kept = KeptStudy(study_id, needs_reference); kept != nullptr) return kept;
  TUNE_ASSIGN_OR_RETURN(v1::StudySetup setup, AskSetup(study_id, control));
  setup.set_study_id(study_id);
  if (needs_reference && !setup.has_reference()) {
    return absl::UnavailableError(
        absl::StrCat("the server does not know the reference of ", study_id, " yet"));
  }
  absl::MutexLock lock(&mutex_);
  studies_.push_front(std::make_shared<Study>(std::move(setup)));
  if (studies_.size() > kKeptStudies) studies_.pop_back();
  return studies_.front();
}

absl::StatusOr<v1::StudySetup> StudyExecutor::AskSetup(const std::string& study_id,
                                                       const TaskControl& control) {
  const absl::Time deadline = absl::Now() + kSetupPatience;
  while (true) {
    absl::StatusOr<v1::StudySetup> setup = transport_->GetStudySetup(study_id);
    if (setup.ok() || !absl::IsUnavailable(setup.status())) return setup;
    if (control.cancelled() || absl::Now() > deadline) return setup;
    absl::SleepFor(kSetupPause);
  }
}

absl::StatusOr<v1::ReferenceResult> StudyExecutor::RunReferenceTask(const Study& study,
                                                                    const TaskControl& control) {
  // Before the program runs for what may be minutes.
  if (const absl::Status missing = CheckTools(study.setup); !missing.ok()) return Failure(missing, "");
  control.Enter("reference");
  std::string log;
  const ReferenceTools tools{compiler_, runner_, control.cancellation};
  const absl::StatusOr<ReferenceData> data =
      references_.Run(study.setup, tools, &log, ReferenceRunOf(study.setup, options_.tools));
  if (control.cancelled() || IsDrop(data.status())) return absl::CancelledError("cancelled");
  if (!data.ok()) return Failure(data.status(), log);
  v1::ReferenceResult result;
  *result.mutable_reference() = data->reference;
  const absl::Status prepared = PrepareGenerator(study, control, result.mutable_reference());
  if (control.cancelled() || IsDrop(prepared)) return absl::CancelledError("cancelled");
  if (!prepared.ok()) return Failure(prepared, log);
  result.set_log(LogTail(log));
  return result;
}

absl::Status StudyExecutor::CheckTools(const v1::StudySetup& setup) const {
  if (setup.generator() == kSharedGenerator) return CheckSharedTools(setup);
  return setup.generator() == kPpcgGenerator && options_.ppcg == nullptr ? NoPpcg(options_.worker)
                                                                         : absl::OkStatus();
}

absl::Status StudyExecutor::PrepareGenerator(const Study& study, const TaskControl& control,
                                             v1::Reference* reference) const {
  if (study.setup.generator() != kPpcgGenerator) return absl::OkStatus();
  control.Enter("walk");
  return RecordPpcgSchedules(*options_.ppcg, study.setup.scop(),
                             PpcgOptionsFor(study.setup, control.cancellation), options_.slots, reference);
}

absl::StatusOr<ReferenceData> StudyExecutor::FindReference(const Study& study, const TaskControl& control,
                                                           std::string* log) {
  const v1::Reference& expected = study.setup.reference();
  // Sums of a kernel's threads need not have one order.
  const bool computed_by_kernel = study.setup.kernel().language() == v1::KERNEL_LANGUAGE_CUDA;
  const auto same = [&](const ReferenceData& data) {
    return data.reference.input_fingerprint() == expected.input_fingerprint() &&
           (computed_by_kernel || data.reference.output_fingerprint() == expected.output_fingerprint());
  };
  absl::StatusOr<ReferenceData> data = references_.Load(study.setup, *compiler_);
  if (data.ok() && same(*data)) return data;
  spdlog::info("{}: its reference data is not here; running the program again", study.setup.study_id());
  control.Enter("reference");
  data = references_.Run(study.setup, {compiler_, runner_, control.cancellation}, log,
                         ReferenceRunOf(study.setup, options_.tools));
  if (!data.ok() || same(*data)) return data;
  const bool inputs = data->reference.input_fingerprint() != expected.input_fingerprint();
  return absl::FailedPreconditionError(absl::StrCat(
      "the program's ", inputs ? "inputs" : "outputs", " differ between two runs (worker ", options_.worker,
      "): candidates cannot be checked; make it use the same data in every run (fixed seeds, no time of "
      "day, no memory that nothing has set)"));
}

absl::StatusOr<Inspector*> StudyExecutor::PrepareInspector(Study* study, const TaskControl& control) const {
  absl::MutexLock lock(&study->preparing);
  if (study->inspector != nullptr) return study->inspector.get();
  if (options_.make_inspector == nullptr)
    return absl::FailedPreconditionError(absl::StrCat("worker ", options_.worker, " inspects nothing"));
  control.Enter("walk");
  TUNE_ASSIGN_OR_RETURN(study->inspector, options_.make_inspector(study->setup));
  return study->inspector.get();
}

v1::Inspection StudyExecutor::Inspect(Study* study, const v1::InspectTask& task,
                                      const TaskControl& control) const {
  const absl::StatusOr<Inspector*> inspector = PrepareInspector(study, control);
  if (inspector.ok()) return (*inspector)->Inspect(task, control);
  v1::Inspection inspection;
  inspection.set_unknown(absl::StrCat("the worker: ", inspector.status().message()));
  return inspection;
}

absl::StatusOr<Evaluator*> StudyExecutor::PrepareEvaluator(Study* study, const TaskControl& control,
                                                           std::string* log) {
  absl::MutexLock lock(&study->preparing);
  if (study->evaluator != nullptr) return study->evaluator.get();
  TUNE_ASSIGN_OR_RETURN(ReferenceData data, FindReference(*study, control, log));
  // What the server told all workers, so that all of them generate the same code.
  data.reference = study->setup.reference();
  control.Enter("walk");
  TUNE_ASSIGN_OR_RETURN(study->evaluator, factory_(study->setup, data));
  return study->evaluator.get();
}

}  // namespace tune
