// How long each stage of an evaluation took.
#pragma once

#include <string>

#include "absl/time/clock.h"
#include "tune/v1/evaluation.pb.h"
#include "worker/evaluate/evaluator.h"

namespace tune {

// Announces a stage, and adds its time to the evaluation when the scope is left.
class StageTimer {
 public:
  // Both must outlive the timer.
  StageTimer(const std::string& stage, const TaskControl& control, v1::Evaluation* evaluation)
      : stage_(stage), evaluation_(evaluation), start_(absl::Now()) {
    control.Enter(stage);
  }
  ~StageTimer() {
    v1::StageTime* time = evaluation_->add_stages();
    time->set_stage(stage_);
    time->set_seconds(absl::ToDoubleSeconds(absl::Now() - start_));
  }
  // Of the time since the start, so much belongs to another stage, which is told too.
  void Attribute(const std::string& stage, double seconds) {
    v1::StageTime* time = evaluation_->add_stages();
    time->set_stage(stage);
    time->set_seconds(seconds);
    start_ += absl::Seconds(seconds);
  }
  StageTimer(const StageTimer&) = delete;
  StageTimer& operator=(const StageTimer&) = delete;

 private:
  const std::string stage_;
  v1::Evaluation* const evaluation_;
  absl::Time start_;
};

}  // namespace tune
