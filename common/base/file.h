// Files and temporary folders as absl::Status.
#pragma once

#include <string>

#include "absl/strings/string_view.h"
#include "common/base/status.h"

namespace tune {

// The whole content. NOT_FOUND or UNAVAILABLE with path and reason.
absl::StatusOr<std::string> ReadFile(const std::string& path);

// Replaces the file at once: a reader sees the old content or the new, never a part, also when the
// process is killed. The folder must exist.
absl::Status WriteFile(const std::string& path, absl::string_view content);

// Makes the folder and those above it.
absl::Status MakeFolder(const std::string& path);

// A new folder below `parent` (default: $TMPDIR or /tmp), removed with all it holds by the destructor.
class TemporaryFolder {
 public:
  static absl::StatusOr<TemporaryFolder> Make(const std::string& parent = "");
  ~TemporaryFolder();
  TemporaryFolder(TemporaryFolder&& other) noexcept;
  TemporaryFolder& operator=(TemporaryFolder&& other) noexcept;
  const std::string& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;  // empty after a move
};

}  // namespace tune
