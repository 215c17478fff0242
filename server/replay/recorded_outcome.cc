#include "server/replay/recorded_outcome.h"

#include "absl/strings/match.h"

namespace tune {

v1::Evaluation CorrectIn(double time) {
  v1::Evaluation evaluation;
  evaluation.set_outcome(v1::CORRECT);
  evaluation.mutable_measurement()->set_median(time);
  return evaluation;
}

v1::Evaluation Failed(v1::Outcome outcome, const std::string& message) {
  v1::Evaluation evaluation;
  evaluation.set_outcome(outcome);
  evaluation.set_message(message);
  return evaluation;
}

v1::Outcome OutcomeOfWord(const std::string& word) {
  if (absl::StrContains(word, "Compilation")) return v1::COMPILE;
  if (absl::StrContains(word, "Invalid")) return v1::CONSTRAINTS;
  if (absl::StrContains(word, "Correctness") || absl::StrContains(word, "Verification"))
    return v1::CORRECTNESS;
  return v1::RUNTIME;
}

}  // namespace tune
