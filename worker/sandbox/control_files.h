// The kernel's files of control groups (cgroup v2).
#pragma once

#include <string>

#include "absl/strings/string_view.h"
#include "common/base/status.h"

namespace tune {

// What is done with them, all of it one system call or two, without buffers or renames. Tests stand in for
// the kernel, which fills a new group with files and removes them with it. Errors are SystemError's.
class ControlFiles {
 public:
  virtual ~ControlFiles() = default;
  // At most 64 KiB.
  virtual absl::StatusOr<std::string> Read(const std::string& file);
  virtual absl::Status Write(const std::string& file, absl::string_view text);
  // A new group. ALREADY_EXISTS.
  virtual absl::Status MakeGroup(const std::string& folder);
  // UNAVAILABLE while processes are in it.
  virtual absl::Status RemoveGroup(const std::string& folder);
  virtual bool Writable(const std::string& path);
};

}  // namespace tune
