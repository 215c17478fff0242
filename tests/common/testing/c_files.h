// Folders of files in C and C++ that tests go through.
#pragma once

#include <algorithm>
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

}  // namespace tune::testing
