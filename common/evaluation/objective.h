// By what candidates are compared.
#pragma once

#include <string>

#include "tune/v1/study.pb.h"

namespace tune {

inline constexpr char kTimeObjective[] = "time";

// The objective of these options; "time" where none is named.
std::string ObjectiveOf(const v1::SearchOptions& search);
bool IsTimeObjective(const v1::SearchOptions& search);

// Watts while a run is under way; 0 where its energy was not measured.
double PowerOf(const v1::Measurement& measurement);

// What a quantity is worth for a candidate with this measurement and these metrics: "time" (seconds),
// "energy" (joules), "power" (watts), "edp" (joule seconds) or a metric of the user. 0 where it is not known.
double QuantityOf(const std::string& quantity, const v1::Measurement& measurement,
                  const google::protobuf::RepeatedPtrField<v1::MetricValue>& metrics);

// "s", "J", "W", "J s"; empty for a metric, whose unit nobody has said.
std::string UnitOf(const std::string& quantity);

// What a search makes small: the objective's quantity, or, where more is better, one by it. 0 where the
// quantity is not known or not above 0.
double CostOf(const v1::SearchOptions& search, const v1::Measurement& measurement,
              const google::protobuf::RepeatedPtrField<v1::MetricValue>& metrics);

// What the study's best and default candidates are worth by its objective; 0 where it is not known.
double BestQuantity(const v1::Study& study);
double DefaultQuantity(const v1::Study& study);

// CostOf of a candidate; 0 also where it is not correct.
double CostOf(const v1::SearchOptions& search, const v1::Evaluation& evaluation);
// Puts the cost in the place of the time, for what makes times small: strategies. Kernels have no such costs,
// so that their times go. Nothing changes where the objective is time.
void ReplaceTimeByCost(const v1::SearchOptions& search, v1::Evaluation* evaluation);

// Whether the one candidate is better than the other; a cost of 0 is worse than any other.
bool IsLessCost(double a, double b);
// CostOf of a study's best candidate.
double BestCost(const v1::SearchOptions& search, const v1::Study& study);

// Whether costs by the one can be compared with costs by the other: the same quantity, of which less, or
// more, is better. Metrics of two studies are told apart by their names alone.
bool SameObjective(const v1::SearchOptions& a, const v1::SearchOptions& b);

// How many times as good as the default the best candidate is, by the objective; 0 where it is not known.
double GainByObjective(const v1::Study& study);

}  // namespace tune
