#include "libtune/wisdom/wisdom.h"

#include <algorithm>
#include <cmath>

#include "libtune/wisdom/text_fields.h"

namespace libtune {
namespace {

std::optional<double> ValueOf(const Parameter& parameter, const std::string& text) {
  if (parameter.nominal()) {
    const auto choice = std::find(parameter.choices.begin(), parameter.choices.end(), text);
    if (choice == parameter.choices.end()) return std::nullopt;
    return static_cast<double>(choice - parameter.choices.begin());
  }
  const std::optional<double> number = ParsedNumber(text);
  return number.has_value() && parameter.scale->Has(*number) ? number : std::nullopt;
}

}  // namespace

bool Wisdom::Add(const WisdomKey& key, const WisdomEntry& entry) {
  const auto [known, is_new] = entries_.try_emplace(key, entry);
  if (is_new) return true;
  if (known->second.seconds <= entry.seconds) return false;
  known->second = entry;
  return true;
}

void Wisdom::AddAll(const Wisdom& other) {
  for (const auto& [key, entry] : other.entries_) Add(key, entry);
}

const WisdomEntry* Wisdom::Find(const WisdomKey& key) const {
  const auto found = entries_.find(key);
  return found == entries_.end() ? nullptr : &found->second;
}

const std::pair<const WisdomKey, WisdomEntry>* Wisdom::FindNearest(const WisdomKey& key) const {
  const std::pair<const WisdomKey, WisdomEntry>* nearest = nullptr;
  double least = 0;
  // The key with no inputs is the first of its region and device.
  for (auto it = entries_.lower_bound({key.region, key.device, {}}); it != entries_.end(); ++it) {
    if (it->first.region != key.region || it->first.device != key.device) break;
    const std::optional<double> distance = InputDistance(key.inputs, it->first.inputs);
    if (!distance.has_value() || (nearest != nullptr && *distance >= least)) continue;
    nearest = &*it;
    least = *distance;
  }
  return nearest;
}

std::optional<double> InputDistance(const Inputs& from, const Inputs& to) {
  if (from.size() != to.size()) return std::nullopt;
  double sum = 0;
  for (size_t i = 0; i < from.size(); ++i) {
    if (from[i] == to[i]) continue;
    if (from[i] < 1 || to[i] < 1) return std::nullopt;
    const double distance = std::fabs(std::log2(static_cast<double>(from[i]) / static_cast<double>(to[i])));
    if (distance > 1) return std::nullopt;
    sum += distance;
  }
  return sum;
}

WisdomEntry EntryOf(const ParameterSpace& space, const Values& values, double seconds) {
  WisdomEntry entry;
  entry.seconds = seconds;
  const std::vector<bool> existing = space.Existing(values);
  for (int i = 0; i < space.size(); ++i) {
    if (!existing[i]) continue;
    const Parameter& parameter = space.at(i);
    entry.values[parameter.name] =
        parameter.nominal() ? parameter.choices[static_cast<size_t>(values[i])] : NumberText(values[i]);
  }
  return entry;
}

std::optional<Values> ValuesOf(const ParameterSpace& space, const WisdomEntry& entry) {
  Values values = space.Defaults();
  std::vector<bool> existing(space.size());
  for (int i = 0; i < space.size(); ++i) {
    existing[i] = space.Exists(i, existing, values);
    if (!existing[i]) continue;
    const auto text = entry.values.find(space.at(i).name);
    if (text == entry.values.end()) return std::nullopt;
    const std::optional<double> value = ValueOf(space.at(i), text->second);
    if (!value.has_value()) return std::nullopt;
    values[i] = *value;
  }
  return values;
}

}  // namespace libtune
