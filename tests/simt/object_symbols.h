// The variables of a shared object.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/base/status.h"

namespace tune::simt {

struct ObjectSymbol {
  std::string name;  // as C++ writes it: "area::tile<4>(int)::row"
  uint64_t value = 0, bytes = 0;
  std::string section;
};

// The variables that the object defines, local ones included, in the order of their names in the object. Its
// symbol table is read here, as nm first loads what else may understand the file, which takes longer than to
// compile a kernel. INVALID_ARGUMENT where it is no 64-bit ELF object of this machine.
absl::StatusOr<std::vector<ObjectSymbol>> ReadVariables(const std::string& path);

}  // namespace tune::simt
