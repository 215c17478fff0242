// Loop nests that add up the elements of a matrix.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "common/kernel/kernel.h"
#include "common/schedule/analysed_scop.h"
#include "common/schedule/statement_group.h"

namespace tune {

// A kernel whose threads each add up an element: for all places (i, j) what is in `before`, then C[..] += ..
// along one member, then what is in `after`. What is added reads nothing of the array.
struct SumNest {
  std::string sum;                          // the statement that adds
  std::vector<std::string> before, after;   // at most one instance of each at a place
  ScheduleRow rows, columns;                // { S -> [i] } and { S -> [j] }, of all statements
  isl::pw_aff time;                         // { sum -> [t] }: of each addition
  int64_t first = 0, count = 0;             // the least t, and from there to the greatest
  isl::set places;                          // { [i, j] } at which something is added: convex
  int64_t row_count = 0, column_count = 0;  // of the least box around them
  double filled = 1;                        // their share of it
  double share = 1;                         // of `count` additions to an element, those that there are
  bool has_factor = false;                  // of all that is added (common_factor.h)
  int terms = 1;  // of what is added (sum_terms.h), each of which reads at most two elements of arrays
  bool reads_more = false;    // than two elements of arrays in an addition
  bool begins_apart = false;  // there is something in `before`, and not all places' first times are the same
};

// Of the kernels that no host loop is around, in tree order, with what is counted as it is at the parameters'
// `values`. Throws isl::exception.
std::vector<SumNest> FindSumNests(const ScheduledScop& scheduled, const ParsedScop& scop,
                                  const isl::set& values);

// A schedule with its nests.
struct NestsOfSchedule {
  isl::schedule schedule;
  std::vector<SumNest> nests;
};

// Of the schedule that these options make. `known`: the values of parameters that it is for; `counted`: those
// at which is counted. Errors: those of IslContext::Run.
absl::StatusOr<NestsOfSchedule> FindNests(AnalysedScop& analysed, const std::map<std::string, int64_t>& known,
                                          const std::map<std::string, int64_t>& counted,
                                          const ScheduleOptions& options);

}  // namespace tune
