// A constraint over two parameters, tried for all pairs of their values.
#pragma once

#include <optional>
#include <vector>

#include "common/parameters/value_filter.h"

namespace tune {

// Rows are what values of the parameter that is bound first leave of the other one's.
class PairTable {
 public:
  // `first`, `second`: the two parameters, in the order in which they are bound. Nothing where there are too
  // many pairs to try, or one has no value.
  static std::optional<PairTable> Make(const ParameterSpaceDescription& description,
                                       const ParameterConstraint& constraint, const Candidates& candidates,
                                       int first, int second, const EvaluationLimits& limits);

  int first() const { return first_; }
  int second() const { return second_; }
  // The row of the first one's value; equal rows have one number.
  int RowOf(int value) const { return row_of_value_[value]; }
  // How many candidates of the second one the row allows: all, some or none.
  enum class Allowed { kNone, kSome, kAll };
  Allowed AllowedBy(int row) const { return allowed_[row]; }
  bool Holds(int row, int second_value) const { return rows_[row][second_value]; }

 private:
  int first_ = 0;
  int second_ = 0;
  std::vector<int> row_of_value_;        // by value of the first; -1: no candidate
  std::vector<std::vector<bool>> rows_;  // by value of the second
  std::vector<Allowed> allowed_;
};

}  // namespace tune
