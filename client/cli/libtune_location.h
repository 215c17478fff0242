// Where libtune is installed on this machine.
#pragma once

#include <string>

#include "common/base/status.h"

namespace tune {

// Folders for the compiler's -I and the linker's -L.
struct LibtuneLocation {
  std::string include;  // has tune.h
  std::string library;  // has libtune.so or libtune.a
};

// In the prefix or build folder `given`; where that is empty beside this program, installed or in its build
// folder, else in /usr/local and /usr. NOT_FOUND names what was looked for and what to do.
absl::StatusOr<LibtuneLocation> FindLibtune(const std::string& given);

}  // namespace tune
