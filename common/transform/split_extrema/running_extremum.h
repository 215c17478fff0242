// A largest or smallest value that a loop keeps together with where it was found.
#pragma once

#include <string>
#include <vector>

#include "common/dependence/dependence.h"
#include "common/transform/split_extrema/extremum_form.h"

namespace tune {

// In all iterations of a nest of loops, which no other loop is around,
//
//   condition:  flag = p && v > m;     // >, >=, < or <=; p: any conditions, or none
//   value:      m = flag ? v : m;
//   others:     k = flag ? w : k;      // in any order, also before `value`
//
// where all three have the same iterations, v is the same in both statements that compute it, and nothing
// else in the nest has to do with the scalars m, k and `flag`, or computes what these statements read from
// what iterations before computed. Of other conditions, each of which is one of
// p's, statements other than `condition` need not be aware.
struct RunningExtremum {
  std::string condition, value;     // statements
  std::vector<std::string> others;  // statements, in the scop's order
  std::string flag;                 // a scalar, used by these statements alone
  bool negated = false;             // the others read !flag: the comparison is that which then holds
  ExtremumComparison comparison;
  std::vector<isl::pw_aff> times;  // { condition -> [t] }: of the nest's loops, outermost first

  // `condition`, `value`, then `others`.
  std::vector<std::string> Statements() const;
};

// In the order of their conditions; no two share a scalar or a statement. Throws isl::exception.
std::vector<RunningExtremum> FindRunningExtrema(const ParsedScop& scop, const Dependences& dependences);

}  // namespace tune
