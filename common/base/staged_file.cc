#include "common/base/staged_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

namespace tune {
namespace {

constexpr int kMostAttempts = 1000;  // to find a free name
constexpr mode_t kNewFile = 0666;    // less the user's umask

absl::Status CannotWrite(const std::string& path, int error) {
  const std::string text = absl::StrCat(path, ": cannot be written: ", std::strerror(error));
  return error == ENOENT ? absl::NotFoundError(text) : absl::UnavailableError(text);
}

std::string FolderOf(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

}  // namespace

std::string StagedFile::FreeName(const std::string& path, int attempt) {
  const std::filesystem::path place(path);
  return (place.parent_path() /
          absl::StrCat(".", place.filename().string(), ".", getpid(), "-", attempt, ".partial"))
      .string();
}

absl::StatusOr<StagedFile> StagedFile::Make(const std::string& path) {
  int descriptor = open(FolderOf(path).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, kNewFile);
  if (descriptor >= 0) return StagedFile(path, "", descriptor);
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    const std::string named = FreeName(path, attempt);
    descriptor = open(named.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, kNewFile);
    if (descriptor >= 0) return StagedFile(path, named, descriptor);
    if (errno != EEXIST) break;
  }
  return CannotWrite(path, errno);
}

StagedFile::~StagedFile() {
  if (descriptor_ < 0) return;
  close(descriptor_);
  if (!named_.empty()) unlink(named_.c_str());
}

StagedFile::StagedFile(StagedFile&& other) noexcept
    : path_(std::move(other.path_)),
      named_(std::exchange(other.named_, "")),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

absl::Status StagedFile::Write(absl::string_view content) {
  while (!content.empty()) {
    const ssize_t written = write(descriptor_, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return CannotWrite(path_, errno);
    content.remove_prefix(written);
  }
  return absl::OkStatus();
}

int StagedFile::LinkAt(const std::string& path) const {
  const std::string source = named_.empty() ? absl::StrCat("/proc/self/fd/", descriptor_) : named_;
  return linkat(AT_FDCWD, source.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
}

absl::Status StagedFile::Publish() {
  const int error = LinkAt(path_);
  if (error == EEXIST) return absl::AlreadyExistsError(absl::StrCat(path_, ": exists already"));
  return error == 0 ? absl::OkStatus() : CannotWrite(path_, error);
}

absl::Status StagedFile::Replace() {
  struct stat before = {};
  if (stat(path_.c_str(), &before) == 0) fchmod(descriptor_, before.st_mode & 07777);
  int error = 0;
  for (int attempt = 0; named_.empty() && attempt < kMostAttempts; ++attempt) {
    const std::string named = FreeName(path_, attempt);
    error = LinkAt(named);
    if (error == 0) named_ = named;
    if (error != EEXIST) break;
  }
  if (error == 0 && rename(named_.c_str(), path_.c_str()) != 0) error = errno;
  if (error != 0) return CannotWrite(path_, error);
  named_.clear();
  return absl::OkStatus();
}

}  // namespace tune
