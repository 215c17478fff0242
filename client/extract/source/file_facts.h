// What is known of a file beside its syntax tree.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "client/extract/source/macro_record.h"

namespace tune {

struct FileFacts {
  std::vector<PlacedMeaning> macros;         // in textual order
  std::map<std::string, int64_t> constants;  // parameters that are taken for these values
};

}  // namespace tune
