// Inputs that a program met and nothing is known of, for tuning off line.
#pragma once

#include <mutex>
#include <set>
#include <string>
#include <string_view>

#include "libtune/base/status.h"
#include "libtune/wisdom/wisdom.h"

namespace libtune {

struct Captured {
  WisdomKey key;
  std::string arguments;  // what the region computes on, for people: "double A[n][m], B[m]"
};

//   capture <tab> 1 <tab> REGION <tab> DEVICE <tab> INPUT,INPUT,... <tab> ARGUMENTS
std::string CaptureLine(const Captured& captured);

// Of a line without its end. REFUSED_FILE where it is no such line, or one of a newer version; the text says
// which.
Status ParseCaptureLine(std::string_view line, Captured* captured);

// A line for each region, device and inputs. Lines are added by one write each, so that several processes can
// do so; those of other versions or of something else are left as they are. May be used by several threads.
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
