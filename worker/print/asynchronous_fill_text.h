// Functions of the text that fill tiles asynchronously.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "common/program/device_program.h"

namespace tune {

// Those that the program's kernels call, in PTX (PTX ISA, "cp.async"): PREFIX_N(to, from) begins to copy N
// bytes to shared memory, PREFIX_commit and PREFIX_await<N> are CommitFills and AwaitFills. Devices before
// compute capability 8.0 copy at once. Empty where nothing is filled asynchronously.
std::string FillFunctions(const DeviceProgram& program, const std::string& prefix);
// The same for copies of so many bytes.
std::string FillFunctions(const std::set<int64_t>& sizes, const std::string& prefix);

}  // namespace tune
