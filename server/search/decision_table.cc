#include "server/search/decision_table.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "absl/strings/numbers.h"

namespace tune {
namespace {

std::optional<float> NumberIn(const std::string& option) {
  double value = 0;
  if (!absl::SimpleAtod(option, &value) || !std::isfinite(value)) return std::nullopt;
  return static_cast<float>(value < 0 ? value : std::log2(1 + value));
}

}  // namespace

void DecisionTable::Add(const Trace& trace, std::optional<double> seconds) {
  for (const TracedDecision& traced : trace) AttributeOf(traced.point);
  rows_.push_back(RowOf(trace));
  seconds_.push_back(seconds);
}

int DecisionTable::AttributeOf(const DecisionPoint& point) {
  const auto [found, is_new] = by_key_.try_emplace(point.key, attributes());
  if (is_new) {
    Attribute& attribute = attributes_.emplace_back();
    attribute.key = point.key;
    for (const std::string& option : point.options) attribute.numeric &= NumberIn(option).has_value();
  }
  Attribute& attribute = attributes_[found->second];
  if (attribute.last == point.options) return found->second;
  attribute.last = point.options;
  for (const std::string& option : point.options) {
    if (attribute.values.count(option) > 0) continue;
    const std::optional<float> number = attribute.numeric ? NumberIn(option) : std::nullopt;
    attribute.values[option] = number.value_or(static_cast<float>(attribute.options.size()));
    attribute.options.push_back(option);
  }
  return found->second;
}

int DecisionTable::Decisions() const {
  return static_cast<int>(
      std::count_if(attributes_.begin(), attributes_.end(),
                    [](const Attribute& attribute) { return attribute.options.size() > 1; }));
}

std::vector<std::string> DecisionTable::OptionsBelow(int attribute, float threshold) const {
  std::vector<std::string> below;
  for (const std::string& option : attributes_[attribute].options) {
    if (attributes_[attribute].values.at(option) <= threshold) below.push_back(option);
  }
  return below;
}

int DecisionTable::Find(const std::string& key) const {
  const auto found = by_key_.find(key);
  return found == by_key_.end() ? -1 : found->second;
}

std::optional<float> DecisionTable::ValueOf(int attribute, const std::string& option) const {
  const auto& values = attributes_[attribute].values;
  const auto found = values.find(option);
  if (found == values.end()) return std::nullopt;
  return found->second;
}

std::vector<float> DecisionTable::RowOf(const Trace& trace) const {
  std::vector<float> row(attributes_.size(), kAbsent);
  for (const TracedDecision& traced : trace) {
    const int attribute = Find(traced.point.key);
    if (attribute < 0) continue;
    row[attribute] = ValueOf(attribute, traced.point.options[traced.chosen]).value_or(kAbsent);
  }
  return row;
}

std::vector<int> DecisionTable::Window(int rows, int most) const {
  std::vector<int> all(rows);
  std::iota(all.begin(), all.end(), 0);
  if (rows <= most) return all;
  std::set<int> window(all.end() - most / 2, all.end());
  const auto seconds_of = [&](int row) {
    return seconds_[row].value_or(std::numeric_limits<double>::infinity());
  };
  const auto faster = [&](int a, int b) {
    return std::make_pair(seconds_of(a), a) < std::make_pair(seconds_of(b), b);
  };
  const int half = most - most / 2;
  std::nth_element(all.begin(), all.begin() + half, all.end(), faster);
  window.insert(all.begin(), all.begin() + half);
  return {window.begin(), window.end()};
}

Samples DecisionTable::MakeSamples(const std::vector<int>& rows) const {
  const size_t attributes = rows_[*std::max_element(rows.begin(), rows.end())].size();
  double slowest = 0;
  for (const int row : rows) slowest = std::max(slowest, seconds_[row].value_or(0));
  std::vector<std::vector<float>> values;
  std::vector<double> targets;
  for (const int row : rows) {
    values.push_back(rows_[row]);
    values.back().resize(attributes, kAbsent);
    targets.push_back(std::log(seconds_[row].value_or(slowest)));
  }
  return Samples(values, std::move(targets));
}

bool DecisionTable::HasSuccess(int rows) const {
  return std::any_of(seconds_.begin(), seconds_.begin() + rows,
                     [](const std::optional<double>& seconds) { return seconds.has_value(); });
}

std::vector<float> DecisionTable::Row(int row) const {
  std::vector<float> values = rows_[row];
  values.resize(attributes_.size(), kAbsent);
  return values;
}

}  // namespace tune
