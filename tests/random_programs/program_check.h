// Random programs against what is generated of them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tune::testing {

// Of all checks of this process.
struct CheckFigures {
  int programs = 0;
  std::map<std::string, int> refused;  // by the first line of what tune-extract said
  int not_finite = 0;                  // programs whose own results are no finite numbers
  int candidates = 0, given_up = 0;    // given up: random configurations that are too hard or not possible
  int wrong = 0, without_candidate = 0;

  int Refused() const;
  // One line, and one for each reason.
  std::string Text() const;
};

CheckFigures& Figures();

// Extracts the programs of these seeds; of each, makes the default configuration and three random ones for
// `cpu` and for `cuda`, the latter proven by CheckCuda, runs them and compares what they leave with what the
// program leaves. Every fourth seed has sums in order. Failures of GoogleTest show program, configuration and
// the command that repeats it.
void CheckRandomPrograms(const std::vector<uint64_t>& seeds);

}  // namespace tune::testing
