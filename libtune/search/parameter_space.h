// The parameters of a region, and which of them exist under which choices.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "libtune/base/status.h"
#include "libtune/search/numeric_scale.h"

namespace libtune {

struct Condition {
  int parent;
  int choice;
};

struct Parameter {
  std::string name;
  std::vector<std::string> choices;   // of a nominal parameter
  std::optional<NumericScale> scale;  // of a numeric one
  double initial = 0;                 // what the program does without tuning
  std::vector<Condition> conditions;

  bool nominal() const { return !scale.has_value(); }
};

// One value for each parameter: the index of its choice, or its number. Of parameters that do not exist: the
// initial value.
using Values = std::vector<double>;

inline constexpr int kMostChoices = 100000;

// Parents come before their children, so there are no circles.
class ParameterSpace {
 public:
  // INVALID_ARGUMENT where the comment in tune.h is not kept, ALREADY_EXISTS for a second parameter of the
  // name.
  Status AddNominal(const std::string& name, std::vector<std::string> choices);
  Status AddReal(const std::string& name, double low, double high, double initial);
  Status AddSteps(const std::string& name, double low, double high, double step, double initial);
  Status AddPowers(const std::string& name, double low, double high, double base, double initial);
  Status AddCondition(int parameter, int parent, int choice);

  int size() const { return static_cast<int>(parameters_.size()); }
  const Parameter& at(int index) const { return parameters_[index]; }
  std::optional<int> Find(const std::string& name) const;
  // An index of a nominal parameter and of one of its choices.
  Status CheckChoice(int parameter, int choice) const;

  Values Defaults() const;
  // `existing` and `values` are of all parameters before `parameter`.
  bool Exists(int parameter, const std::vector<bool>& existing, const Values& values) const;
  std::vector<bool> Existing(const Values& values) const;

 private:
  Status Add(Parameter parameter);
  Status AddNumeric(const std::string& name, const NumericScale& scale, double initial);

  std::vector<Parameter> parameters_;
};

}  // namespace libtune
