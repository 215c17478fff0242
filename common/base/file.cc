#include "common/base/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "common/base/file_descriptor.h"
#include "common/base/system_error.h"

namespace tune {

absl::StatusOr<std::string> ReadFile(const std::string& path) {
  if (std::filesystem::is_directory(path)) return absl::UnavailableError(path + ": is a folder, not a file");
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.open()) return SystemError(path, errno);
  // What is told of the size, and one more byte, which finds the end; of some files, as of /proc, nothing is.
  struct stat told = {};
  const size_t size = fstat(file.get(), &told) == 0 ? static_cast<size_t>(told.st_size) : 0;
  std::string content;
  size_t done = 0;
  while (true) {
    if (done == content.size()) content.resize(std::max(size + 1, 2 * content.size()));
    const ssize_t n = read(file.get(), content.data() + done, content.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return SystemError(path, errno);
    if (n == 0) break;
    done += static_cast<size_t>(n);
  }
  content.resize(done);
  return content;
}

absl::Status WriteFile(const std::string& path, absl::string_view content) {
  std::string temporary = path + ".XXXXXX";
  const int file = mkstemp(temporary.data());
  if (file < 0) return SystemError(path, errno);
  size_t done = 0;
  while (done < content.size()) {
    const ssize_t n = write(file, content.data() + done, content.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      const int error = errno;
      close(file);
      unlink(temporary.c_str());
      return SystemError(path, error);
    }
    done += n;
  }
  fchmod(file, 0644);
  close(file);
  if (rename(temporary.c_str(), path.c_str()) != 0) {
    const int error = errno;
    unlink(temporary.c_str());
    return SystemError(path, error);
  }
  return absl::OkStatus();
}

absl::Status MakeFolder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) return absl::UnavailableError(absl::StrCat(path, ": ", error.message()));
  return absl::OkStatus();
}

absl::StatusOr<TemporaryFolder> TemporaryFolder::Make(const std::string& parent) {
  const char* tmp = std::getenv("TMPDIR");
  const std::string base = !parent.empty() ? parent : tmp != nullptr ? tmp : "/tmp";
  std::string path = base + "/tune.XXXXXX";
  if (mkdtemp(path.data()) == nullptr) return SystemError(path, errno);
  return TemporaryFolder(path);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::exchange(other.path_, "")) {}

TemporaryFolder& TemporaryFolder::operator=(TemporaryFolder&& other) noexcept {
  std::swap(path_, other.path_);
  return *this;
}

}  // namespace tune
