// Programs that are wrong by one small change.
#pragma once

#include <optional>
#include <random>
#include <string>

#include "common/program/device_program.h"

namespace tune::testing {

struct Mutant {
  std::string change;  // "a barrier is gone"
  DeviceProgram program;
};

// One change at a seeded place: a barrier or a change of buffers is gone or stands elsewhere, an index, a
// bound, a step or a condition is off by one, a tile has a copy or a row too few, a fill leaves out a tile or
// a guard, a copy between registers and memory is gone, a loop loads other things ahead, threads are numbered
// otherwise, a launch has other blocks. Nothing when the program has no such place.
std::optional<Mutant> Mutate(const DeviceProgram& program, uint64_t seed);

}  // namespace tune::testing
