// The recorded list of decisions: printing, parsing, recording, replaying.
#pragma once

#include <memory>
#include <string>

#include "absl/strings/string_view.h"
#include "common/decision/chooser.h"
#include "tune/v1/configuration.pb.h"

namespace tune {

// One `key = option` per line, in the order of the walk.
std::string PrintConfiguration(const v1::Configuration& configuration);

// Accepts what PrintConfiguration prints; blank lines and lines that start with '#' are skipped.
// INVALID_ARGUMENT with the line number and the line.
absl::StatusOr<v1::Configuration> ParseConfiguration(absl::string_view text);

// Equal for equal decisions.
std::string ConfigurationFingerprint(const v1::Configuration& configuration);

// Answers with each point's default option.
class DefaultChooser : public Chooser {
 public:
  absl::StatusOr<int> Choose(const DecisionPoint& point) override { return point.default_option; }
};

// Asks `inner` and writes down its answers.
class RecordingChooser : public Chooser {
 public:
  explicit RecordingChooser(Chooser* inner) : inner_(inner) {}  // not owned
  absl::StatusOr<int> Choose(const DecisionPoint& point) override;
  const v1::Configuration& configuration() const { return configuration_; }

 private:
  Chooser* inner_;
  v1::Configuration configuration_;
};

// Answers from a recorded list. Order does not matter: decisions are found by key. A key that the
// list lacks is answered with what older lists stand for; where that is nothing, and for an option that does
// not exist or is masked, the answer is INVALID_ARGUMENT, and says what would be accepted.
class ReplayChooser : public Chooser {
 public:
  explicit ReplayChooser(const v1::Configuration& configuration) : configuration_(configuration) {}
  absl::StatusOr<int> Choose(const DecisionPoint& point) override;
  // INVALID_ARGUMENT naming the decisions of the list that the walk never asked for.
  absl::Status CheckAllUsed() const;

 private:
  v1::Configuration configuration_;
  std::vector<bool> used_ = std::vector<bool>(configuration_.decisions_size());
};

}  // namespace tune
