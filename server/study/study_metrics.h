// The metrics and the objective that a user defines for a study.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/expression/expression.h"
#include "common/kernel_definition/configuration_reader.h"
#include "tune/v1/study.pb.h"

namespace tune {

inline constexpr int kMostMetrics = 16;

// Whether candidates' energy is to be measured: the objective or a metric needs it, or it is asked for.
bool NeedsEnergy(const v1::StudySpec& spec);

// Of a spec with defaults filled in. INVALID_ARGUMENT names the field, what is wrong with it, and the remedy:
// metrics whose names or expressions cannot be used, an objective that is none, energy without a GPU.
absl::Status CheckObjectives(const v1::StudySpec& spec);

// The metrics of one study. Immutable.
class StudyMetrics {
 public:
  // Precondition: CheckObjectives accepts the spec. Errors as ConfigurationReader::Make.
  static absl::StatusOr<StudyMetrics> Make(const v1::StudySpec& spec);

  // Sets evaluation->metrics, where it is CORRECT: those that have a finite value.
  void Set(const v1::Reference& reference, const v1::Configuration& configuration,
           v1::Evaluation* evaluation) const;

 private:
  struct Metric {
    std::string name;
    Expression expression;
  };
  std::vector<Metric> metrics_;
  std::optional<ConfigurationReader> reader_;  // of hand-written kernels
};

// What a strategy is to observe of an evaluated candidate, which it makes small: the cost by the objective
// stands where its time stood. Times of single kernels, which lead to a short time alone, are left out with
// another objective.
v1::Candidate ByObjective(const v1::SearchOptions& search, v1::Candidate candidate);

}  // namespace tune
