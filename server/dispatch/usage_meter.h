// How long each owner has had devices of late.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "absl/time/time.h"

namespace tune {

// Kept by the hour, for 24 of them; forgotten with the process. Not thread safe.
class UsageMeter {
 public:
  void Add(const std::string& owner, absl::Time end, absl::Duration held);
  // In the last 24 hours.
  absl::Duration Of(const std::string& owner, absl::Time now) const;

 private:
  std::map<std::string, std::map<int64_t, absl::Duration>> hours_;  // by owner, then hour since 1970
};

}  // namespace tune
