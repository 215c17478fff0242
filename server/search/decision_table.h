// Evaluated candidates as rows of numbers, for regression trees.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "server/model/samples.h"
#include "server/search/walk_tree.h"

namespace tune {

// One attribute a decision key, in the order in which keys were first seen. An option that is a number, where
// all options of its decision are, has log2(1 + number), so that powers of two are evenly spaced; others have
// their position among the options, in the order first seen. A decision that a walk did not ask for has
// kAbsent, below all of them. Not thread safe.
class DecisionTable {
 public:
  static constexpr float kAbsent = -1e9f;

  // `seconds`: nothing when the candidate is not CORRECT.
  void Add(const Trace& trace, std::optional<double> seconds);

  int rows() const { return static_cast<int>(rows_.size()); }
  int attributes() const { return static_cast<int>(attributes_.size()); }
  // How many of the attributes have several options.
  int Decisions() const;
  const std::string& key(int attribute) const { return attributes_[attribute].key; }
  // All options of the decision were numbers when it was first seen.
  bool numeric(int attribute) const { return attributes_[attribute].numeric; }
  // The options on the lower side of a threshold, in the order first seen.
  std::vector<std::string> OptionsBelow(int attribute, float threshold) const;
  // -1: the key was not seen.
  int Find(const std::string& key) const;
  // Nothing for an option that was not seen.
  std::optional<float> ValueOf(int attribute, const std::string& option) const;
  // A walk's values; decisions that were not seen are left out.
  std::vector<float> RowOf(const Trace& trace) const;

  // Row numbers, of the first `rows`, of the candidates that a model is to learn from: all, or where there
  // are more than `most`, the faster half of `most` and as many of the latest.
  std::vector<int> Window(int rows, int most) const;
  // Of the numbered rows, with the attributes that were known when the last of them was added, so that rows
  // and attributes added later change nothing; targets are natural logarithms of the seconds. A candidate
  // that failed counts as slow as the slowest of them that did not. Precondition: one of them did not fail.
  Samples MakeSamples(const std::vector<int>& rows) const;
  // The values of one row, padded with kAbsent to all attributes.
  std::vector<float> Row(int row) const;
  // Whether one of the first `rows` did not fail.
  bool HasSuccess(int rows) const;

 private:
  struct Attribute {
    std::string key;
    bool numeric = true;
    std::vector<std::string> options;  // in the order first seen
    std::unordered_map<std::string, float> values;
    std::vector<std::string> last;  // of the point that was added last
  };
  int AttributeOf(const DecisionPoint& point);

  std::vector<Attribute> attributes_;
  std::unordered_map<std::string, int> by_key_;
  std::vector<std::vector<float>> rows_;  // each as long as there were attributes when it was added
  std::vector<std::optional<double>> seconds_;
};

}  // namespace tune
