#include "common/base/untrusted_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "common/base/system_error.h"

namespace tune {
namespace {

constexpr size_t kPiece = 64 << 10;

absl::Status NotRegular(const std::string& path) {
  return absl::FailedPreconditionError(absl::StrCat(path, ": not a regular file"));
}

// Until `take` wants no more.
absl::Status ReadWhile(const std::string& path, const std::function<bool(absl::string_view)>& take) {
  // A pipe would be waited for without O_NONBLOCK.
  const int file = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
  if (file < 0) return errno == ELOOP || errno == ENXIO ? NotRegular(path) : SystemError(path, errno);
  const auto close_file = absl::MakeCleanup([file] { close(file); });
  struct stat status;
  if (fstat(file, &status) != 0) return SystemError(path, errno);
  if (!S_ISREG(status.st_mode)) return NotRegular(path);
  std::vector<char> piece(kPiece);
  for (;;) {
    const ssize_t count = read(file, piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return SystemError(path, errno);
    if (count == 0 || !take({piece.data(), static_cast<size_t>(count)})) return absl::OkStatus();
  }
}

}  // namespace

absl::Status ReadUntrustedFile(const std::string& path,
                               const std::function<void(absl::string_view piece)>& take) {
  return ReadWhile(path, [&](absl::string_view piece) {
    take(piece);
    return true;
  });
}

absl::StatusOr<std::string> ReadUntrustedFile(const std::string& path, int64_t limit) {
  std::string content;
  const auto fits = [&] { return static_cast<int64_t>(content.size()) <= limit; };
  TUNE_RETURN_IF_ERROR(ReadWhile(path, [&](absl::string_view piece) {
    absl::StrAppend(&content, piece);
    return fits();
  }));
  if (fits()) return content;
  return absl::ResourceExhaustedError(absl::StrCat(path, ": more than ", limit, " bytes"));
}

absl::Status CheckPlainFiles(const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (fs::symlink_status(folder, error).type() != fs::file_type::directory) {
    return absl::FailedPreconditionError(absl::StrCat(folder, ": not a folder"));
  }
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const fs::file_type type = it->symlink_status(error).type();
    if (type != fs::file_type::regular && type != fs::file_type::directory)
      return NotRegular(it->path().string());
  }
  return error ? absl::UnavailableError(absl::StrCat(folder, ": ", error.message())) : absl::OkStatus();
}

}  // namespace tune
