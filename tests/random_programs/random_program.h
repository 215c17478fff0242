// C programs with a region, made at random, as a person could have written them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tune/v1/scop.pb.h"

namespace tune::testing {

// What a program declares outside of its region.
struct ProgramArray {
  std::string name;
  v1::ElementType type = v1::ELEMENT_TYPE_DOUBLE;
  std::vector<int64_t> extents;  // none: a scalar
  bool written = true;           // a scalar that is not is passed by value
  std::string row = {};          // of a matrix in one dimension: C text of the length of its rows
};

struct RandomProgram {
  uint64_t seed = 0;
  // One function, "kernel", that takes sizes, scalars and arrays, with the region in it; and a main that
  // seeds the arrays, calls it and prints a sum of each.
  std::string text;
  std::map<std::string, int64_t> sizes;  // of the function's int parameters; macros are not among them
  std::vector<ProgramArray> arrays;
  // A call of "kernel", where a pointer stands in `memory` for each array, in their order, also of scalars.
  std::string Call(const std::string& memory) const;
};

// The program of this seed: affine loops (downward, by steps, triangular; some as `while`) in nests of up to
// three, locals in any place, updates, conditions (some as `switch`), quotients and remainders of iterators,
// matrices in one dimension, elements that data decide, read or updated. All accesses are in bounds, integers
// do not overflow, and floating-point numbers are not turned into integers or conditions, so that rounding
// shows as rounding.
RandomProgram MakeRandomProgram(uint64_t seed);

}  // namespace tune::testing
