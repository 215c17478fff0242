// What candidates are worth beside their times, and which of them none surpasses.
#pragma once

#include <string>
#include <vector>

#include "common/base/status.h"
#include "tune/v1/study.pb.h"

namespace tune {

// "0.0421 J a run, 312 W; gflops 8.41e+03": energy and metrics; empty where there are none.
std::string QuantitiesText(const v1::Measurement& measurement,
                           const google::protobuf::RepeatedPtrField<v1::MetricValue>& metrics);

// "0.0421 J", "1.32 ms", "8.41e+03" of a metric.
std::string QuantityText(const std::string& quantity, double value);

// What the best candidate is worth by the objective: "1.32 ms", "energy 0.0421 J"; without a value of it
// "no gflops". Precondition: there is a best one.
std::string BestByObjective(const v1::Study& study);

// The best candidate's other quantities: "1.32 ms; 312 W; gflops 8.41e+03". Empty where there are none.
std::string BestOtherwise(const v1::Study& study);

// What the study gained by its objective: "energy 0.0421 J, 1.3x as good as the default's 0.0547 J". Empty
// while nothing is correct.
std::string GainOfObjective(const v1::Study& study);

// Empty where it is time; "edp"; "gflops, as much as possible".
std::string ObjectiveText(const v1::SearchOptions& search);

// Something that candidates have less or more of.
struct FrontQuantity {
  std::string name;  // as QuantityOf takes it
  bool maximise = false;
};

// "time,energy,+gflops": with a + more is better. INVALID_ARGUMENT: fewer than two, or one twice.
absl::StatusOr<std::vector<FrontQuantity>> ParseFront(const std::string& text);

// The correct candidates of the search that no other one surpasses: none is as good in every quantity and
// better in one. Sorted by the first quantity, the best first; equal ones are all there. Candidates without
// one of the quantities are left out.
std::vector<const v1::Candidate*> ParetoFront(const std::vector<v1::Candidate>& candidates,
                                              const std::vector<FrontQuantity>& quantities);

// A line for each, or one that says why there are none.
std::string FrontTable(const std::vector<const v1::Candidate*>& front,
                       const std::vector<FrontQuantity>& quantities);

}  // namespace tune
