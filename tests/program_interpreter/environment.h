// Values of names while a program is interpreted.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "common/program/index_expression.h"

namespace tune::testing {

// What a program must not do: a race, an access outside of an array, a barrier that some threads miss.
class ProgramFault : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Names in the order in which they came to be; the last one of a name counts.
class Environment {
 public:
  void Set(const std::string& name, int64_t value) { values_.emplace_back(name, value); }
  int64_t Get(const std::string& name) const { return const_cast<Environment*>(this)->Find(name).second; }

  // What came after is forgotten.
  size_t size() const { return values_.size(); }
  void ShrinkTo(size_t size) { values_.resize(size); }

  int64_t Evaluate(const IndexExpression& expression) const {
    return tune::Evaluate(expression, [this](const std::string& name) { return Get(name); });
  }
  std::vector<int64_t> Evaluate(const std::vector<IndexExpression>& expressions) const {
    std::vector<int64_t> values;
    for (const IndexExpression& expression : expressions) values.push_back(Evaluate(expression));
    return values;
  }

 private:
  std::pair<std::string, int64_t>& Find(const std::string& name) {
    for (auto value = values_.rbegin(); value != values_.rend(); ++value) {
      if (value->first == name) return *value;
    }
    throw ProgramFault("nothing is known of the name " + name);
  }

  std::vector<std::pair<std::string, int64_t>> values_;
};

}  // namespace tune::testing
