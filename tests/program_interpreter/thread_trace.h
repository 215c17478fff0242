// What one thread of a kernel does, step by step: control flow of programs does not depend on data.
#pragma once

#include <optional>
#include <vector>

#include "common/program/device_program.h"
#include "tests/program_interpreter/environment.h"

namespace tune::testing {

// An element by the name of its array, tile or variable.
struct Place {
  std::string array;
  std::vector<int64_t> index;
};

// The variable of a thread for the element that is kept in it: the first that is, the second, ...
Place KeptVariable(size_t number);

// The variables of a thread for that element of those that a loop fetches: for each iteration of two chunks.
std::string FetchedVariables(size_t element);
// The same of those that it collects: for each iteration of a chunk.
std::string CollectedVariables(size_t element);

struct Step {
  // An instance, a transfer, a fill, a scope that reads or stores what it keeps, a loop that loads ahead, a
  // barrier or a reduction.
  const Node* node = nullptr;
  std::vector<Place> places;    // an instance's accesses; else where to, and from where
  std::vector<int64_t> affine;  // of an instance
  bool zero = false;            // of a fill: there is no element
  bool unknown = false;         // of a fill whose copies are under way: where they go, nothing is known
};

// `environment`: what the kernel is told, and its block and thread. Throws ProgramFault.
std::vector<Step> TraceThread(const DeviceKernel& kernel, const std::vector<DeviceArray>& arrays,
                              Environment environment);

// The same of other blocks of nodes, without tiles.
std::vector<Step> TraceBlock(const Block& block);

}  // namespace tune::testing
