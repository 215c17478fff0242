// What may be chosen in one decision, apart from what should be.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/decision/chooser.h"

namespace tune {

// The options of a decision, and which of them are legal here.
struct Offer {
  std::string key;
  std::vector<std::string> options;
  std::vector<bool> legal;  // parallel to options, at least one true; empty: all are
  // What configurations that were recorded before there was this decision stand for: index; -1: nothing.
  int unrecorded = -1;
};

// The same of numbers, which ascend.
struct NumberOffer {
  std::string key;
  std::vector<int64_t> values;
  std::vector<bool> legal;

  void Add(int64_t value, bool is_legal) {
    values.push_back(value);
    legal.push_back(is_legal);
  }
  // The largest that is legal and not above `wanted`; else the smallest that is legal.
  int64_t Nearest(int64_t wanted) const;
};

// Asks for one of the options; returns its index. `standard`: the default, a legal one.
absl::StatusOr<int> Ask(Chooser& chooser, const Offer& offer, int standard);

// Asks for one of the values. `standard`: the default, one of them that is legal.
absl::StatusOr<int64_t> Ask(Chooser& chooser, const NumberOffer& offer, int64_t standard);

}  // namespace tune
