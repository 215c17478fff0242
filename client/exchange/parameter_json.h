// Configurations as objects of JSON, for other tools.
#pragma once

#include <string>
#include <vector>

#include "client/report/json.h"
#include "tune/v1/study.pb.h"

namespace tune {

// Of hand-written kernels every parameter, in the definition's order and as a value of its type, also those
// that have no choice; else the decisions (OptionValue).
Json ParametersOf(const v1::StudySpec& spec, const v1::Configuration& configuration);

Json JsonOf(const v1::TuningValue& value);

}  // namespace tune
