// Random expressions, for ours and for Python.
#pragma once

#include <string>

#include "common/base/random.h"

namespace tune::testing {

struct RandomExpression {
  std::string ours;
  std::string python;   // the same in Python's spelling
  std::string checked;  // the same with each number handed to `_c`, which refuses what our values cannot hold
};

// Uses the names of RandomExpressionNames, and no value that takes Python long. Same random numbers, same
// expression.
RandomExpression MakeRandomExpression(Random& random);

// Assignments in Python: `p = 8`, one a line.
inline constexpr const char* kRandomExpressionNames =
    "p = 8\nq = -3\nr = 0.5\ns = 'half'\nt = True\nz = 0\nm = 9007199254740993\nL = [1, 2, 4]\n";

}  // namespace tune::testing
