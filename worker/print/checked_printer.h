// Prints the original order of a region with a check of each access that data may lead outside of its array.
#pragma once

#include <string>
#include <vector>

#include "common/program/device_program.h"
#include "common/program/helper_names.h"
#include "tune/v1/scop.pb.h"

namespace tune {

// An array whose elements are checked.
struct CheckedArray {
  std::string name;
  v1::ElementType type = v1::ELEMENT_TYPE_UNSPECIFIED;
  std::vector<int64_t> extents;
  int64_t elements = 0;       // that there are: the places of others are outside
  bool by_subscript = false;  // what is in another row is outside, too
};

struct CheckedText {
  std::string definitions;  // to stand before the function that has the block
  std::string block;        // of C, braces included
};

// A program that ends before the first access outside, with status 1 and a line on standard error:
// kOutsideMark, the number of the statement in the scop, that of the array among `arrays`, its subscripts,
// then kMostIterators numbers, of which the first are the statement's iterators. Elements that data keep a
// statement from are not accessed. `program`: instances with origins, in loops of one thread.
CheckedText PrintChecked(OpenMpProgram program, const v1::Scop& scop, const HelperNames& names,
                         const std::vector<CheckedArray>& arrays);

inline constexpr char kOutsideMark[] = "tune-outside";
inline constexpr int kMostIterators = 32;

}  // namespace tune
