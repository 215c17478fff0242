// A file that appears whole or not at all.
#pragma once

#include <sys/types.h>

#include <string>

#include "absl/strings/string_view.h"
#include "common/base/status.h"

namespace tune {

// What is written stays out of sight until Publish: where the file system has files without a name, nothing
// is left behind even when the process is killed; elsewhere a file ".NAME.N.partial" beside the place is,
// which the destructor removes.
class StagedFile {
 public:
  // For a file at `path`, whose folder must exist. NOT_FOUND, UNAVAILABLE with path and reason.
  static absl::StatusOr<StagedFile> Make(const std::string& path);
  ~StagedFile();
  StagedFile(StagedFile&& other) noexcept;
  StagedFile& operator=(StagedFile&&) = delete;

  absl::Status Write(absl::string_view content);

  // Puts the file in its place. ALREADY_EXISTS when there is one; nothing is changed then.
  absl::Status Publish();
  // The same, in the place of the file that is there, whose permissions it takes.
  absl::Status Replace();

 private:
  StagedFile(std::string path, std::string named, int descriptor)
      : path_(std::move(path)), named_(std::move(named)), descriptor_(descriptor) {}
  // A hard link to it at `path`. Error number, 0: done.
  int LinkAt(const std::string& path) const;
  // A name in the same folder that no file has.
  static std::string FreeName(const std::string& path, int attempt);

  std::string path_;
  std::string named_;  // where it lies meanwhile; empty: nowhere
  int descriptor_;     // -1 after a move
};

}  // namespace tune
