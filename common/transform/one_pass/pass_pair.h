// Two kernels that read one matrix, the one for sums of its rows, the other one for sums of its columns.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/kernel/kernel.h"
#include "common/schedule/statement_group.h"

namespace tune {

// A kernel whose threads each add up an element, y[..] += .., along one member of its only band: first what
// is in `before`, last what is in `after`.
struct VectorSum {
  std::string sum;                         // the statement that adds
  std::vector<std::string> before, after;  // at most one instance of each for an element
  ScheduleRow places;                      // { S -> [i] }: which element, of all statements
  ScheduleRow times;                       // { S -> [t] }: of the additions to it, of all statements

  std::vector<std::string> Statements() const;  // before, sum, after
};

// All additions of both read the matrix A, once each: of `rows` those at place i in row i + row_shift, of
// `columns` those at time t in row t + time_shift. Those of `columns` read no other elements of what they add
// to, and each place is an element.
struct PassPair {
  VectorSum rows, columns;
  std::string matrix;
  int64_t row_shift = 0, time_shift = 0;
  int64_t first_row = 0, row_count = 0;        // that some addition of either reads
  int64_t first_column = 0, column_count = 0;  // places of `columns`
  int64_t row_bytes = 0;                       // of a whole row of the matrix
  bool apart = false;  // neither kernel waits for the other: they are launched at once
  isl::set places;     // { [j] } of `columns`
};

// The pair of the largest matrix; `schedule`: with the kernels' marks, of which those are looked at that no
// loop of the host is around. `values`: of the parameters. Throws isl::exception.
std::optional<PassPair> FindPassPair(const ScheduledScop& scheduled, const ParsedScop& scop,
                                     const isl::set& values);

}  // namespace tune
