// The database's place in the file system, as people and other programs change it while a server runs.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>

#include "common/base/status.h"

namespace tune {

// A file that was opened under a path. Thread safe.
class DatabaseFile {
 public:
  // The file that `path` names now. NOT_FOUND when there is none.
  static absl::StatusOr<DatabaseFile> Of(const std::string& path);

  // DATA_LOSS when the path names no file or another one by now: what is written to the open file would be
  // gone with the process.
  absl::Status CheckInPlace() const;

  // RESOURCE_EXHAUSTED when its file system has no room for the next few results.
  absl::Status CheckSpace() const;

  // Has the open file copied to where it can be found, PATH.rescued-N, and says so in the log, with the
  // reason why it is not in its place.
  void Rescue(const absl::Status& reason,
              const std::function<absl::Status(const std::string& copy)>& write_copy) const;

 private:
  DatabaseFile(std::string path, dev_t device, ino_t inode)
      : path_(std::move(path)), device_(device), inode_(inode) {}

  std::string path_;
  dev_t device_;
  ino_t inode_;
};

}  // namespace tune
