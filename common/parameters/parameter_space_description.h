// What a space of tuning parameters is made of.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "common/expression/evaluation_limits.h"
#include "common/expression/expression.h"

namespace tune {

struct TuningParameter {
  std::string name;
  std::vector<Value> values;  // at least one, no two of them written the same; in the order of the user
};

struct ParameterSpaceDescription {
  std::vector<TuningParameter> parameters;
  // Over names of parameters and constants; a configuration is valid where all are true.
  std::vector<Expression> constraints;
  std::map<std::string, Value> constants;  // names that constraints may also use
};

struct ParameterSpaceLimits {
  int parameters = 1'000;
  int64_t states = 500'000;          // ways that constraints tell beginnings of configurations apart; memory
  int64_t trials = 50'000'000;       // beginnings that are extended by a value; time
  EvaluationLimits evaluation = {};  // of each constraint, each time
};

}  // namespace tune
