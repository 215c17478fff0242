#include "libtune/search/parameter_space.h"

#include <cmath>
#include <set>

namespace libtune {
namespace {

constexpr double kMostSteps = 1e9;

std::string Text(double number) {
  std::string text = std::to_string(number);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

Status CheckBounds(const std::string& name, double low, double high) {
  if (std::isfinite(low) && std::isfinite(high) && low <= high && std::isfinite(high - low)) return {};
  return Invalid("parameter " + name + ": the bounds " + Text(low) + " and " + Text(high) +
                 " are no interval; give two finite numbers, the lower one first");
}

}  // namespace

Status ParameterSpace::Add(Parameter parameter) {
  if (parameter.name.empty()) return Invalid("a parameter needs a name");
  if (Find(parameter.name).has_value()) {
    return {TUNE_ALREADY_EXISTS,
            "parameter " + parameter.name + " exists already; names of a region's parameters differ"};
  }
  parameters_.push_back(std::move(parameter));
  return {};
}

Status ParameterSpace::AddNominal(const std::string& name, std::vector<std::string> choices) {
  if (choices.empty() || choices.size() > kMostChoices) {
    return Invalid("parameter " + name + " has " + std::to_string(choices.size()) + " choices; 1 to " +
                   std::to_string(kMostChoices) + " are accepted");
  }
  const std::set<std::string> different(choices.begin(), choices.end());
  if (different.size() < choices.size() || different.count("") > 0) {
    return Invalid(
        "parameter " + name +
        " has a choice without a name, or two of one name; wisdom files know choices by their names");
  }
  Parameter parameter;
  parameter.name = name;
  parameter.choices = std::move(choices);
  return Add(std::move(parameter));
}

Status ParameterSpace::AddNumeric(const std::string& name, const NumericScale& scale, double initial) {
  if (!scale.Has(initial)) {
    return Invalid("parameter " + name + ": the initial value " + Text(initial) +
                   " is none that it can have, which lie between " + Text(scale.low()) + " and " +
                   Text(scale.high()));
  }
  Parameter parameter;
  parameter.name = name;
  parameter.scale = scale;
  parameter.initial = initial;
  return Add(std::move(parameter));
}

Status ParameterSpace::AddReal(const std::string& name, double low, double high, double initial) {
  if (Status status = CheckBounds(name, low, high); !status.ok()) return status;
  return AddNumeric(name, NumericScale::Real(low, high), initial);
}

Status ParameterSpace::AddSteps(const std::string& name, double low, double high, double step,
                                double initial) {
  if (Status status = CheckBounds(name, low, high); !status.ok()) return status;
  if (!(step > 0) || !std::isfinite(step) || (high - low) / step > kMostSteps) {
    return Invalid("parameter " + name + ": the step " + Text(step) +
                   " is not positive, or makes more than a billion values");
  }
  return AddNumeric(name, NumericScale::Steps(low, high, step), initial);
}

Status ParameterSpace::AddPowers(const std::string& name, double low, double high, double base,
                                 double initial) {
  if (Status status = CheckBounds(name, low, high); !status.ok()) return status;
  if (!(low > 0) || !(base > 1) || !std::isfinite(base) ||
      std::log(high / low) / std::log(base) > kMostSteps) {
    return Invalid("parameter " + name + ": powers need a low bound above 0 and a base above 1, not " +
                   Text(low) + " and " + Text(base));
  }
  return AddNumeric(name, NumericScale::Powers(low, high, base), initial);
}

Status ParameterSpace::CheckChoice(int parameter, int choice) const {
  if (parameter < 0 || parameter >= size() || !at(parameter).nominal()) {
    return Invalid("there is no nominal parameter of index " + std::to_string(parameter) + "; " +
                   std::to_string(size()) + " parameters were added");
  }
  const int count = static_cast<int>(at(parameter).choices.size());
  if (choice >= 0 && choice < count) return {};
  return Invalid("parameter " + at(parameter).name + " has no choice of index " + std::to_string(choice) +
                 " but " + std::to_string(count) + " choices");
}

Status ParameterSpace::AddCondition(int parameter, int parent, int choice) {
  if (parameter < 0 || parameter >= size()) {
    return Invalid("there is no parameter of index " + std::to_string(parameter) + "; " +
                   std::to_string(size()) + " were added");
  }
  if (Status status = CheckChoice(parent, choice); !status.ok()) return status;
  if (parent >= parameter) {
    return Invalid("parameter " + at(parameter).name + " cannot exist under " + at(parent).name +
                   ", which was added after it; add parents first");
  }
  parameters_[parameter].conditions.push_back({parent, choice});
  return {};
}

std::optional<int> ParameterSpace::Find(const std::string& name) const {
  for (int i = 0; i < size(); ++i) {
    if (at(i).name == name) return i;
  }
  return std::nullopt;
}

Values ParameterSpace::Defaults() const {
  Values values;
  for (const Parameter& parameter : parameters_) values.push_back(parameter.initial);
  return values;
}

bool ParameterSpace::Exists(int parameter, const std::vector<bool>& existing, const Values& values) const {
  const std::vector<Condition>& conditions = at(parameter).conditions;
  for (const Condition& condition : conditions) {
    bool holds = false;
    for (const Condition& other : conditions) {
      holds |=
          other.parent == condition.parent && existing[other.parent] && values[other.parent] == other.choice;
    }
    if (!holds) return false;
  }
  return true;
}

std::vector<bool> ParameterSpace::Existing(const Values& values) const {
  std::vector<bool> existing(size());
  for (int i = 0; i < size(); ++i) existing[i] = Exists(i, existing, values);
  return existing;
}

}  // namespace libtune
