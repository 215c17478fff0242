#include "server/study/study_cases.h"

#include "absl/strings/str_cat.h"
#include "server/study/study_warning.h"

namespace tune {
namespace {

absl::StatusOr<v1::CaseDiscussion> Discuss(const ActiveStudy& study, const CodeGeneration& generate) {
  if (generate == nullptr) return absl::FailedPreconditionError("this server has no tune-generate");
  v1::GenerationRequest request;
  *request.mutable_scop() = study.spec().scop();
  request.set_cases(true);
  TUNE_ASSIGN_OR_RETURN(v1::GenerationAnswer answer, generate(request));
  if (!answer.cases_failure().empty()) return absl::InvalidArgumentError(answer.cases_failure());
  if (answer.cases().kernels().empty()) return absl::InternalError("tune-generate answered no cases");
  return std::move(*answer.mutable_cases());
}

}  // namespace

absl::Status MakeCases(ActiveStudy& study, const CodeGeneration& generate) {
  if (!study.spec().cases() || study.View().has_cases()) return absl::OkStatus();
  const absl::StatusOr<v1::CaseDiscussion> cases = Discuss(study, generate);
  if (cases.ok()) return study.KeepCases(*cases, "");
  return study.KeepCases({}, absl::StrCat("there is no case discussion: ", cases.status().message()));
}

absl::Status ActiveStudy::KeepCases(const v1::CaseDiscussion& cases, const std::string& warning) {
  Lock lock(&mutex_);
  if (Finished()) return absl::CancelledError("the study has ended");
  v1::Study next = view_;
  if (warning.empty()) *next.mutable_cases() = cases;
  AddWarning(warning, &next);
  return Commit(std::move(next), {});
}

}  // namespace tune
