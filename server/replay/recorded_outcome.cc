#include "server/replay/recorded_outcome.h"

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

}  // namespace tune
