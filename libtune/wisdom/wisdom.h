// What is known to be fast: the best configuration of each region, device and inputs.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "libtune/search/metric.h"

namespace libtune {

struct WisdomKey {
  std::string region;
  std::string device;
  Inputs inputs;

  bool operator<(const WisdomKey& other) const {
    return std::tie(region, device, inputs) < std::tie(other.region, other.device, other.inputs);
  }
};

// By names, so that it outlives changes of a program's parameters as far as it still says something.
struct WisdomEntry {
  double seconds = 0;                         // positive
  std::map<std::string, std::string> values;  // of parameters that exist: a choice's name, or a number
};

class Wisdom {
 public:
  // Of two entries of a key the faster one stays. True when `entry` does.
  bool Add(const WisdomKey& key, const WisdomEntry& entry);
  // Whatever was there; what drifted away is no longer right.
  void Replace(const WisdomKey& key, const WisdomEntry& entry) { entries_[key] = entry; }
  void AddAll(const Wisdom& other);

  const WisdomEntry* Find(const WisdomKey& key) const;
  // By the rule in tune.h (tune_look_up); null where nothing is near.
  const std::pair<const WisdomKey, WisdomEntry>* FindNearest(const WisdomKey& key) const;
  const std::map<WisdomKey, WisdomEntry>& entries() const { return entries_; }

 private:
  std::map<WisdomKey, WisdomEntry> entries_;
};

// The sum of |log2 of the quotients|; nothing where two inputs are not near. For the rule of tune.h.
std::optional<double> InputDistance(const Inputs& from, const Inputs& to);

// What exists of a configuration, by names; and back. Nothing where a parameter that exists has no value, or
// none that it can have now.
WisdomEntry EntryOf(const ParameterSpace& space, const Values& values, double seconds);
std::optional<Values> ValuesOf(const ParameterSpace& space, const WisdomEntry& entry);

}  // namespace libtune
