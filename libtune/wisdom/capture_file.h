// Inputs that a program met and nothing is known of, for tuning off line.
#pragma once

#include <mutex>
#include <set>
#include <string>

#include "libtune/wisdom/wisdom.h"

namespace libtune {

// A line for each region, device and inputs:
//   capture <tab> 1 <tab> REGION <tab> DEVICE <tab> INPUT,INPUT,... <tab> ARGUMENTS
// Lines are added by one write each, so that several processes can do so; those of other versions or of
// something else are left as they are. May be used by several threads.
class CaptureFile {
 public:
  // Looks at what the file has already, of which nothing is added again.
  explicit CaptureFile(std::string path);

  // IO when it cannot be written; it is not tried again with the same key.
  Status Add(const WisdomKey& key, const std::string& arguments);

 private:
  const std::string path_;
  std::mutex mutex_;
  std::set<std::string> seen_;  // lines
};

}  // namespace libtune
