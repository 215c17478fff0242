// Containers that a region exchanges: std::swap(v, w). What stands for them exchanges pointers to their
// elements; the containers themselves are exchanged behind the region, whatever code has run in its place.
#pragma once

#include <string>
#include <vector>

namespace tune {

struct ExchangedContainer {
  std::string text;      // C++: "grid.old"
  std::string elements;  // the pointer to its elements, "grid.old.data()"
  std::string stand_in;  // the variable that has that pointer before the region
};

struct ExchangedContainers {
  std::vector<ExchangedContainer> containers;  // each once; those that are exchanged have one type
  std::string settings;                        // C++: the region's exchanges, with loops around
};

// Lines behind those that declare the stand-ins: which elements each has.
std::string KeepElements(const ExchangedContainers& exchanged);
// Lines behind the region: each container has the elements that it had before it, and then the exchanges are
// done.
std::string ExchangeAgain(const ExchangedContainers& exchanged);

}  // namespace tune
