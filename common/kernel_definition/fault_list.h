// What is wrong with a definition.
#pragma once

#include <string>
#include <vector>

#include "common/base/status.h"

namespace tune {

// One line for each fault; the first hundred.
class FaultList {
 public:
  void Add(std::string line) {
    if (lines_.size() < kMost) lines_.push_back(std::move(line));
  }
  // Nothing for OK.
  void Add(const absl::Status& status) {
    if (!status.ok()) Add(std::string(status.message()));
  }
  void Add(const absl::Status& status, absl::string_view where) { Add(Annotate(status, where)); }

  bool empty() const { return lines_.empty(); }
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  static constexpr size_t kMost = 100;
  std::vector<std::string> lines_;
};

}  // namespace tune
