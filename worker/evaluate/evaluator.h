// Candidate -> evaluation.
#pragma once

#include <functional>
#include <string>

#include "tune/v1/worker_service.pb.h"
#include "worker/run/cancellation.h"

namespace tune {

// How a task tells its progress and learns that it is no longer wanted.
struct TaskControl {
  // Called at the start of each stage: "reference", "walk", "generate", "compile", "run". May be empty.
  std::function<void(const std::string& stage)> stage;
  Cancellation* cancellation = nullptr;  // may be null

  void Enter(const std::string& name) const {
    if (stage) stage(name);
  }
  bool cancelled() const { return cancellation != nullptr && cancellation->cancelled(); }
};

// Evaluates candidates of one study, one at a time. Failure of a candidate is a result; there are no
// other errors: trouble of the worker itself is an evaluation that says so.
class Evaluator {
 public:
  virtual ~Evaluator() = default;

  virtual v1::Evaluation Evaluate(const v1::EvaluateTask& task, const TaskControl& control) = 0;

  // Measures the candidates again, in turns, with the sequential program among them.
  virtual v1::Confirmation Confirm(const v1::ConfirmTask& task, const TaskControl& control) = 0;
};

}  // namespace tune
