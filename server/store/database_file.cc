#include "server/store/database_file.h"

#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <cerrno>
#include <filesystem>

#include "common/base/system_error.h"

namespace tune {
namespace {

// A result with its code and log takes some hundred kilobytes, and the write-ahead log holds it a second
// time.
constexpr uint64_t kLeastFreeBytes = 4 << 20;

}  // namespace

absl::StatusOr<DatabaseFile> DatabaseFile::Of(const std::string& path) {
  struct stat found;
  if (stat(path.c_str(), &found) != 0) return SystemError(path, errno);
  return DatabaseFile(path, found.st_dev, found.st_ino);
}

absl::Status DatabaseFile::CheckInPlace() const {
  struct stat found;
  const bool exists = stat(path_.c_str(), &found) == 0;
  if (exists && found.st_dev == device_ && found.st_ino == inode_) return absl::OkStatus();
  return absl::DataLossError(absl::StrCat(path_, ": the database was ",
                                          exists ? "replaced" : "deleted or moved",
                                          " while this server uses it, so nothing more is stored"));
}

absl::Status DatabaseFile::CheckSpace() const {
  struct statvfs space;
  if (statvfs(path_.c_str(), &space) != 0) return SystemError(path_, errno);
  const uint64_t free = static_cast<uint64_t>(space.f_bavail) * space.f_frsize;
  if (free >= kLeastFreeBytes) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      absl::StrCat(path_, ": its file system has ", free >> 10, " KiB left; free some space"));
}

void DatabaseFile::Rescue(const absl::Status& reason,
                          const std::function<absl::Status(const std::string&)>& write_copy) const {
  std::string copy;
  for (int number = 1; copy.empty() || std::filesystem::exists(copy); ++number) {
    copy = absl::StrCat(path_, ".rescued-", number);
  }
  const absl::Status status = write_copy(copy);
  if (status.ok()) {
    spdlog::error(
        "{}. All that it held is in {}: end this server, then `tuned-server --database {} --restore {}`",
        std::string(reason.message()), copy, path_, copy);
  } else {
    spdlog::error("{}. All that it held goes with this process, and cannot be copied: {}",
                  std::string(reason.message()), std::string(status.message()));
  }
}

}  // namespace tune
