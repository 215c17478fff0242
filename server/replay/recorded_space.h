// A space of which every candidate's evaluation is known: strategies are judged on it without a device.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "server/search/space.h"
#include "tune/v1/study.pb.h"

namespace tune {

struct RecordedCandidate {
  std::vector<std::pair<std::string, std::string>> decisions;  // key, option; in the order asked
  v1::Evaluation evaluation;
  bool is_default = false;  // takes the default option of every decision
};

// The decisions that walks of the recorded candidates ask, in their order; a decision has all options that
// any candidate has for its key (numbers ascending, others in the order first seen), of which those are
// allowed that lead to a recorded candidate. Decisions for which there is never a choice are left out. The
// default is that of the candidate which says that it is the default, where the decision is one of its own
// and the option allowed; else the allowed option in the middle. Points say how many walks each option leads
// to. One thread at a time.
class RecordedSpace : public Space {
 public:
  // INVALID_ARGUMENT when there are none, when two have the same decisions, or when the next key after the
  // same decisions differs among candidates.
  static absl::StatusOr<std::unique_ptr<RecordedSpace>> Make(std::vector<RecordedCandidate> candidates);

  absl::Status Walk(Chooser& chooser) override;
  // Evaluation of a configuration that a walk made. NOT_FOUND for any other.
  absl::StatusOr<const v1::Evaluation*> Evaluate(const v1::Configuration& configuration) const;

  size_t size() const { return evaluations_.size(); }
  int correct() const { return correct_; }
  // Of the correct ones, those with the time of a kernel, and those with a counter.
  int with_kernel_times() const { return with_kernel_times_; }
  int with_metrics() const { return with_metrics_; }
  double best_seconds() const {
    return best_seconds_;
  }  // of the correct ones with a time above 0; infinite: none

 private:
  struct Decision {
    std::string key;
    std::vector<std::string> options;
    std::string standard;  // of the default candidate; empty: it was not asked
  };
  struct Node {
    int decision = -1;                          // of decisions_; -1: the end of a walk
    std::vector<std::pair<int, int>> children;  // option and node, by option
    int walks = 0;                              // through here
    int candidate = -1;                         // at the end of a walk
    std::unique_ptr<DecisionPoint> point;       // made when first asked: most never are
  };
  class Builder;

  void Count(const v1::Evaluation& evaluation);
  int DefaultOf(const Decision& decision, const std::vector<bool>& allowed) const;
  const DecisionPoint& PointOf(Node* node);
  // -1: none.
  static int ChildOf(const Node& node, int option);

  std::vector<v1::Evaluation> evaluations_;  // by candidate
  std::vector<Decision> decisions_;
  std::deque<Node> nodes_;  // node 0 is the root; they are many, and stay where they are
  int correct_ = 0;
  int with_kernel_times_ = 0;
  int with_metrics_ = 0;
  double best_seconds_ = 0;
};

}  // namespace tune
