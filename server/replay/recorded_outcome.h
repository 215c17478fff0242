// Evaluations of candidates that were recorded by other tuners.
#pragma once

#include <string>

#include "tune/v1/evaluation.pb.h"

namespace tune {

v1::Evaluation CorrectIn(double time);
v1::Evaluation Failed(v1::Outcome outcome, const std::string& message);

}  // namespace tune
