// Folders of C files that tests go through.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace tune::testing {

// Without their ending, in alphabetical order.
inline std::vector<std::string> NamesOfCFiles(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".c") names.push_back(entry.path().stem());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace tune::testing
