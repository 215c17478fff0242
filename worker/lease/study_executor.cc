#include "worker/lease/study_executor.h"

#include <spdlog/spdlog.h>

#include <algorithm>

#include "absl/time/clock.h"
#include "worker/codegen/code_generator.h"
#include "worker/evaluate/pipeline_evaluator.h"

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

}  // namespace

StudyExecutor::StudyExecutor(const StudyExecutorOptions& options, Transport* transport, Compiler* compiler,
                             Runner* runner, EvaluatorFactory factory)
    : options_(options),
      transport_(transport),
      compiler_(compiler),
      runner_(runner),
      factory_(std::move(factory)),
      references_(options.cache_folder + "/references") {}

absl::StatusOr<v1::LeaseResult> StudyExecutor::Execute(const v1::Lease& lease, const TaskControl& control) {
  v1::LeaseResult result;
  if (forget_.exchange(false)) studies_.clear();
  TUNE_ASSIGN_OR_RETURN(Study* const study, FindStudy(lease.study_id(), !lease.has_reference(), control));
  if (lease.has_reference()) {
    TUNE_ASSIGN_OR_RETURN(*result.mutable_reference(), RunReferenceTask(*study, control));
    return result;
  }
  std::string log;
  const absl::Status prepared = PrepareEvaluator(study, control, &log);
  if (control.cancelled() || IsDrop(prepared)) return absl::CancelledError("cancelled");
  if (!prepared.ok()) {
    *result.mutable_reference() = Failure(prepared, log);
    return result;
  }
  if (lease.has_confirm()) {
    *result.mutable_confirm() = study->evaluator->Confirm(lease.confirm(), control);
  } else {
    result.mutable_evaluate()->set_candidate_index(lease.evaluate().candidate_index());
    *result.mutable_evaluate()->mutable_evaluation() = study->evaluator->Evaluate(lease.evaluate(), control);
  }
  if (control.cancelled()) return absl::CancelledError("cancelled");
  return result;
}

absl::StatusOr<StudyExecutor::Study*> StudyExecutor::FindStudy(const std::string& study_id,
                                                               bool needs_reference,
                                                               const TaskControl& control) {
  auto found = std::find_if(studies_.begin(), studies_.end(),
                            [&](const Study& study) { return study.setup.study_id() == study_id; });
  if (found != studies_.end() && (!needs_reference || !found->setup.has_reference())) {
    studies_.erase(found);
    found = studies_.end();
  }
  if (found == studies_.end()) {
    TUNE_ASSIGN_OR_RETURN(v1::StudySetup setup, AskSetup(study_id, control));
    setup.set_study_id(study_id);
    if (needs_reference && !setup.has_reference()) {
      return absl::UnavailableError(
          absl::StrCat("the server does not know the reference of ", study_id, " yet"));
    }
    studies_.push_front(Study{std::move(setup), nullptr});
    if (studies_.size() > kKeptStudies) studies_.pop_back();
  } else {
    studies_.splice(studies_.begin(), studies_, found);
  }
  return &studies_.front();
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
  control.Enter("reference");
  std::string log;
  const ReferenceTools tools{compiler_, runner_, control.cancellation};
  const absl::StatusOr<ReferenceData> data = references_.Run(study.setup, tools, &log);
  if (control.cancelled() || IsDrop(data.status())) return absl::CancelledError("cancelled");
  if (!data.ok()) return Failure(data.status(), log);
  v1::ReferenceResult result;
  *result.mutable_reference() = data->reference;
  result.set_log(LogTail(log));
  return result;
}

absl::StatusOr<ReferenceData> StudyExecutor::FindReference(const Study& study, const TaskControl& control,
                                                           std::string* log) {
  const v1::Reference& expected = study.setup.reference();
  const auto same = [&](const ReferenceData& data) {
    return data.reference.input_fingerprint() == expected.input_fingerprint() &&
           data.reference.output_fingerprint() == expected.output_fingerprint();
  };
  absl::StatusOr<ReferenceData> data = references_.Load(study.setup, *compiler_);
  if (data.ok() && same(*data)) return data;
  spdlog::info("{}: its reference data is not here; running the program again", study.setup.study_id());
  control.Enter("reference");
  data = references_.Run(study.setup, {compiler_, runner_, control.cancellation}, log);
  if (!data.ok() || same(*data)) return data;
  const bool inputs = data->reference.input_fingerprint() != expected.input_fingerprint();
  return absl::FailedPreconditionError(absl::StrCat(
      "the program's ", inputs ? "inputs" : "outputs", " differ between two runs (worker ", options_.worker,
      "): candidates cannot be checked; make it use the same data in every run (fixed seeds, no time of "
      "day)"));
}

absl::Status StudyExecutor::PrepareEvaluator(Study* study, const TaskControl& control, std::string* log) {
  if (study->evaluator != nullptr) return absl::OkStatus();
  TUNE_ASSIGN_OR_RETURN(ReferenceData data, FindReference(*study, control, log));
  // What the server told all workers, so that all of them generate the same code.
  data.reference = study->setup.reference();
  control.Enter("walk");
  TUNE_ASSIGN_OR_RETURN(study->evaluator, factory_(study->setup, data));
  return absl::OkStatus();
}

EvaluatorFactory PipelineEvaluatorFactory(const StudyExecutorOptions& options, Compiler* compiler,
                                          Runner* runner) {
  return [options, compiler, runner](
             const v1::StudySetup& setup,
             const ReferenceData& reference) -> absl::StatusOr<std::unique_ptr<Evaluator>> {
    if (setup.target() != v1::CPU) {
      return absl::UnimplementedError(
          "this worker builds for the target `cpu` only; submit with --target cpu");
    }
    TUNE_ASSIGN_OR_RETURN(std::unique_ptr<CodeGenerator> generator,
                          MakeOpenMpGenerator(setup.scop(), reference.reference, options.threads));
    return std::make_unique<PipelineEvaluator>(setup, reference, std::move(generator), compiler, runner,
                                               options.threads, options.worker);
  };
}

}  // namespace tune
