// The sizes for which the code of one region was made, and what tells them apart.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tune/v1/evaluation.pb.h"
#include "tune/v1/scop.pb.h"

namespace tune {

// A value that code was made for.
struct SizeValue {
  std::string name;   // "n"; of a macro or a constant, its text: "N"
  std::string value;  // as C spells it: "500", "(1 << 9)"
  bool is_parameter = true;
};

// Whether `value` is a decimal integer, with a sign or without.
bool IsInteger(const SizeValue& value);

// One region's code for one size.
struct RegionSize {
  std::vector<SizeValue> values;  // those that differ among the sizes: parameters, macros, constants
  std::string text;               // "n = 500, N = 20"; empty where no value differs
  std::string tag;  // part of an identifier, another one for each size: "n500_N20", else "size2"
};

// For each scop with its reference, which are all of one region. Of one alone, its parameters
// and all else that is an integer.
std::vector<RegionSize> FindSizes(
    const std::vector<std::pair<const v1::Scop*, const v1::Reference*>>& regions);

}  // namespace tune
