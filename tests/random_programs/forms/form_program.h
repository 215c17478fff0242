// C programs of the forms that people write.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tune::testing {

struct FormProgram {
  std::string text;                     // prints all numbers that its region may write
  std::vector<std::string> parameters;  // "n=17", of the region at its first call
  bool exact = false;                   // sums in order, so that conditions may be about what it computes
};

// The program of this seed: one or two nests of forms (all_forms.h) inside one another, in a function that
// takes arrays by their lengths, behind pointers with `restrict` and without, or as variables of the file.
// All accesses are in bounds, integers do not overflow, and pointers that may overlap do so in a second call.
FormProgram MakeFormProgram(uint64_t seed);

}  // namespace tune::testing
