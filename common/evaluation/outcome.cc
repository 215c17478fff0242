#include "common/evaluation/outcome.h"

#include "absl/strings/match.h"
#include "absl/strings/str_join.h"

namespace tune {

absl::string_view OutcomeName(v1::Outcome outcome) {
  switch (outcome) {
    case v1::CORRECT:
      return "correct";
    case v1::TIMEOUT:
      return "timeout";
    case v1::COMPILE:
      return "compile";
    case v1::RUNTIME:
      return "runtime";
    case v1::CORRECTNESS:
      return "correctness";
    case v1::CONSTRAINTS:
      return "constraints";
    case v1::OOM:
      return "oom";
    case v1::WORKER_LOST:
      return "worker_lost";
    case v1::CANCELLED:
      return "cancelled";
    case v1::CARVED:
      return "carved";
    default:
      return "unspecified";
  }
}

bool IsOfARun(v1::Outcome outcome) { return outcome != v1::CANCELLED && outcome != v1::CARVED; }

absl::StatusOr<v1::Outcome> ParseOutcome(absl::string_view name) {
  for (const v1::Outcome outcome : AllOutcomes()) {
    if (absl::EqualsIgnoreCase(name, OutcomeName(outcome))) return outcome;
  }
  const std::string words = absl::StrJoin(AllOutcomes(), ", ", [](std::string* out, v1::Outcome outcome) {
    absl::StrAppend(out, OutcomeName(outcome));
  });
  return absl::InvalidArgumentError(absl::StrCat("'", name, "' is not an outcome; these are: ", words));
}

absl::string_view T4OutcomeName(v1::Outcome outcome) {
  switch (outcome) {
    case v1::OOM:
      return "runtime";
    case v1::WORKER_LOST:
    case v1::CANCELLED:
    case v1::CARVED:
      return "timeout";
    default:
      return OutcomeName(outcome);
  }
}

v1::Outcome OutcomeOfKernelTuner(absl::string_view word) {
  if (absl::StrContains(word, "Compilation")) return v1::COMPILE;
  if (absl::StrContains(word, "Invalid")) return v1::CONSTRAINTS;
  if (absl::StrContains(word, "Correctness") || absl::StrContains(word, "Verification"))
    return v1::CORRECTNESS;
  return v1::RUNTIME;
}

absl::string_view KernelTunerWord(v1::Outcome outcome) {
  if (outcome == v1::COMPILE) return "CompilationFailedConfig";
  if (outcome == v1::CONSTRAINTS) return "InvalidConfig";
  return "RuntimeFailedConfig";
}

const std::vector<v1::Outcome>& AllOutcomes() {
  static const auto* const outcomes = new std::vector<v1::Outcome>{
      v1::CORRECT,     v1::TIMEOUT, v1::COMPILE,     v1::RUNTIME,   v1::CORRECTNESS,
      v1::CONSTRAINTS, v1::OOM,     v1::WORKER_LOST, v1::CANCELLED, v1::CARVED};
  return *outcomes;
}

absl::string_view StudyStateName(v1::StudyState state) {
  switch (state) {
    case v1::QUEUED:
      return "queued";
    case v1::REFERENCE:
      return "reference";
    case v1::SEARCHING:
      return "searching";
    case v1::CONFIRMING:
      return "confirming";
    case v1::DONE:
      return "done";
    case v1::FAILED:
      return "failed";
    case v1::STOPPED:
      return "stopped";
    default:
      return "unspecified";
  }
}

bool IsFinished(v1::StudyState state) {
  return state == v1::DONE || state == v1::FAILED || state == v1::STOPPED;
}

absl::string_view CandidateStateName(v1::CandidateState state) {
  switch (state) {
    case v1::PENDING:
      return "pending";
    case v1::LEASED:
      return "leased";
    case v1::EVALUATED:
      return "evaluated";
    case v1::POISONED:
      return "poisoned";
    default:
      return "unspecified";
  }
}

}  // namespace tune
