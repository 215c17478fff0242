// What is visible at one place of a random program.
#pragma once

#include <string>
#include <vector>

#include "tests/random_programs/random_program.h"

namespace tune::testing {

// An integer expression and the values that it takes.
struct Bounded {
  std::string text;
  int64_t low = 0, high = 0;
  bool simple = true;  // needs no parentheses
};

inline bool IsInteger(v1::ElementType type) {
  return type == v1::ELEMENT_TYPE_INT || type == v1::ELEMENT_TYPE_LONG;
}

// Variables and iterators, the innermost last. A name hides those before it.
class ProgramScope {
 public:
  struct Mark {
    size_t variables, iterators;
  };
  Mark Enter() const { return {variables_.size(), iterators_.size()}; }
  void Leave(const Mark& mark) {
    variables_.resize(mark.variables);
    iterators_.resize(mark.iterators);
  }
  void Declare(const ProgramArray& variable) { variables_.push_back(variable); }
  void Loop(const Bounded& iterator) { iterators_.push_back(iterator); }
  const std::vector<Bounded>& iterators() const { return iterators_; }

  // Those that no other hides.
  std::vector<ProgramArray> Visible() const {
    std::vector<ProgramArray> visible;
    for (size_t i = 0; i < variables_.size(); ++i) {
      bool hidden = false;
      for (size_t k = i + 1; k < variables_.size(); ++k) hidden |= variables_[k].name == variables_[i].name;
      for (const Bounded& iterator : iterators_) hidden |= iterator.text == variables_[i].name;
      if (!hidden) visible.push_back(variables_[i]);
    }
    return visible;
  }

 private:
  std::vector<ProgramArray> variables_;
  std::vector<Bounded> iterators_;
};

}  // namespace tune::testing
