// The loops of a schedule that the host would run, one iteration after another.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "common/isl/isl.h"

namespace tune {

// An outermost loop none of whose iterations may run at the same time.
struct SerialLoop {
  std::map<std::string, isl::pw_aff> times;  // "S0": { S0[x] -> [t] }, of all statements below it
};

// Of `schedule`, in tree order: the first members, which are not coincident, of bands that no other loop is
// around. Throws isl::exception.
std::vector<SerialLoop> FindSerialLoops(const isl::schedule& schedule);

}  // namespace tune
