// The hyperplanes that the statements of a strongly connected component may take together.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/schedule/dependence_distances.h"
#include "common/schedule/statement_group.h"

namespace tune {

// At one level of level O3 (Coding Ants, section 5.1.3): rows with coefficients in [-2, 2] with which no
// dependence inside the component goes backward (equation 4). Decisions where the paper is silent:
// - Constants are not chosen: they are the smallest with which the rows are valid
// (DependenceDistances::Shifts).
// - A row is linearly independent of those that the statement has, while instances of it are not told apart;
//   then it is 0 or a unit row, which only says where beside the others the statement runs.
// - Rows whose coefficients have a common divisor are left out: they run the same order as the row divided by
//   it. Of two rows of the first statement that are each other's negatives, both valid, the one that begins
//   with a positive coefficient stays, or the suggested one.
// - Statements with more than four iterators have at most two coefficients that are not zero.
// - A statement's rows are those with which rows of all others exist; looked for among kMostTries
//   combinations.
// Holds no isl objects. One thread at a time: results are kept.
class HyperplaneSet {
 public:
  // `component`: its statements, all in one component. `suggested`: further candidates, whatever their
  // coefficients. Throws isl::exception.
  HyperplaneSet(const StatementGroup& component, const Hyperplanes& suggested);

  // Those of the statement after the `chosen` ones, which are of the first statements, in order: single
  // coefficients first. `parallel`: no dependence moves along the rows (the paper's test by equality,
  // section 5.2).
  std::vector<Hyperplane> Options(const std::vector<Hyperplane>& chosen, bool parallel);

  const std::vector<std::string>& statements() const { return statements_; }
  const DependenceDistances& distances() const { return distances_; }

  static constexpr int kMostTries = 200;

 private:
  using Candidates = std::vector<std::vector<Hyperplane>>;  // by statement
  // The row, of statement `index`, is valid beside the `chosen` ones.
  bool IsValid(const std::vector<Hyperplane>& chosen, size_t index, const Hyperplane& row,
               bool parallel) const;
  // Keeps those of `rows`, of statement `index`, that are valid beside the `chosen` ones.
  void KeepValid(const std::vector<Hyperplane>& chosen, size_t index, bool parallel,
                 std::vector<Hyperplane>& rows) const;
  // Some of `rows`, of the statement after the `chosen` ones, is valid beside these.
  bool HasValid(const std::vector<Hyperplane>& chosen, bool parallel,
                const std::vector<Hyperplane>& rows) const;
  // Rows for all statements that begin with the `chosen` ones exist, the others' among those `left`. Restores
  // `chosen`.
  bool Completes(std::vector<Hyperplane>& chosen, const Candidates& left, bool parallel, int& tries) const;

  std::vector<std::string> statements_;
  DependenceDistances distances_;
  Hyperplane suggested_;  // of the first statement; empty: none
  Candidates candidates_;
  std::map<std::pair<std::vector<Hyperplane>, bool>, std::vector<Hyperplane>> options_;
};

// The coefficients of the iterators in `time`, an integer affine function of them and of parameters; nothing
// when it is something else. Throws isl::exception.
std::optional<Hyperplane> HyperplaneOf(const isl::pw_aff& time);

// { S[x] -> [row x + shift] }. Throws isl::exception.
isl::pw_aff TimeOf(const isl::set& domain, const Hyperplane& row, int64_t shift);

// More than one coefficient that is not zero.
bool IsSkewed(const Hyperplane& row);

// "[1,0,-2]"
std::string HyperplaneText(const Hyperplane& row);

}  // namespace tune
