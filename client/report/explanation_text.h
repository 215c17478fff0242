// Why the search made a candidate, and what it has learned, as text.
#pragma once

#include <string>

#include "client/report/json.h"
#include "tune/v1/explanation.pb.h"

namespace tune {

// How the candidate was made, and for each decision its options with pheromone, desirability, probability,
// and why they were closed.
std::string ExplanationText(const std::string& study_id, const v1::Explanation& explanation);
// What the regression tree of a study has learned.
std::string TreeReport(const std::string& study_id, const v1::Explanation& explanation);
// The decision graph: one line an edge, those never taken left out.
std::string GraphTable(const v1::Explanation& explanation);
// The same for Graphviz: a node is a decision, an edge an option and the decision asked after it; its width
// is the pheromone.
std::string GraphDot(const v1::Explanation& explanation);

Json ToJson(const v1::Explanation& explanation);

}  // namespace tune
