// Folders of files in C and C++ that tests go through.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace tune::testing {

// Those with this ending, without it, in alphabetical order.
inline std::vector<std::string> NamesOfFiles(const std::string& folder, const std::string& ending) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ending) names.push_back(entry.path().stem());
  }
  std::sort(names.begin(), names.end());
  return names;
}

inline std::vector<std::string> NamesOfCFiles(const std::string& folder) {
  return NamesOfFiles(folder, ".c");
}

// Each n-th, of what is slow for every program and much the same in each; all of them with TUNE_ALL_PROGRAMS
// in the environment, as `ctest -C long` has it.
inline std::vector<std::string> EachOf(size_t n, const std::vector<std::string>& names) {
  if (std::getenv("TUNE_ALL_PROGRAMS") != nullptr) return names;
  std::vector<std::string> some;
  for (size_t i = 0; i < names.size(); i += n) some.push_back(names[i]);
  return some;
}

}  // namespace tune::testing
