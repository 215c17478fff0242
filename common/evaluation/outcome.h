// The words for what became of a candidate.
#pragma once

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "common/base/status.h"
#include "tune/v1/evaluation.pb.h"
#include "tune/v1/study.pb.h"

namespace tune {

// "correct", "timeout", "compile", "runtime", "correctness", "constraints" as in the T4 result format;
// "oom", "worker_lost", "cancelled", "carved" are our own. "unspecified" for every other value.
absl::string_view OutcomeName(v1::Outcome outcome);

// Whether somebody tried to run the candidate: not CANCELLED, not CARVED.
bool IsOfARun(v1::Outcome outcome);

// Inverse of OutcomeName, in any case. INVALID_ARGUMENT lists the words.
absl::StatusOr<v1::Outcome> ParseOutcome(absl::string_view name);

// The six words of T4 only: "oom" reads "runtime", "worker_lost", "cancelled" and
// "carved" read "timeout".
absl::string_view T4OutcomeName(v1::Outcome outcome);

// What a word of Kernel Tuner in place of a time says ("CompilationFailedConfig": COMPILE); RUNTIME where it
// is not known. And the word for an outcome that is not CORRECT; what Kernel Tuner has no word for reads as
// run time's.
v1::Outcome OutcomeOfKernelTuner(absl::string_view word);
absl::string_view KernelTunerWord(v1::Outcome outcome);

// Every outcome, in the order of their numbers, without UNSPECIFIED.
const std::vector<v1::Outcome>& AllOutcomes();

// "queued", "reference", "searching", "confirming", "done", "failed", "stopped".
absl::string_view StudyStateName(v1::StudyState state);

// DONE, FAILED or STOPPED: the study changes no more.
bool IsFinished(v1::StudyState state);

// "pending", "leased", "evaluated", "poisoned".
absl::string_view CandidateStateName(v1::CandidateState state);

}  // namespace tune
