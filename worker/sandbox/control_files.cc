#include "worker/sandbox/control_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/file_descriptor.h"
#include "common/base/system_error.h"

namespace tune {

absl::StatusOr<std::string> ControlFiles::Read(const std::string& file) {
  const FileDescriptor opened(open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!opened.open()) return SystemError(file, errno);
  std::string text(64 << 10, '\0');
  size_t size = 0;
  while (size < text.size()) {
    const ssize_t n = read(opened.get(), text.data() + size, text.size() - size);
    if (n < 0) return SystemError(file, errno);
    if (n == 0) break;
    size += n;
  }
  text.resize(size);
  return text;
}

absl::Status ControlFiles::Write(const std::string& file, absl::string_view text) {
  const FileDescriptor opened(open(file.c_str(), O_WRONLY | O_CLOEXEC));
  if (!opened.open()) return SystemError(file, errno);
  // The kernel takes a setting as a whole, or refuses it.
  if (write(opened.get(), text.data(), text.size()) < 0) {
    return SystemError(absl::StrCat(file, ", writing `", text, "`"), errno);
  }
  return absl::OkStatus();
}

absl::Status ControlFiles::MakeGroup(const std::string& folder) {
  if (mkdir(folder.c_str(), 0755) == 0) return absl::OkStatus();
  if (errno == EEXIST) return absl::AlreadyExistsError(absl::StrCat(folder, ": it is there already"));
  return SystemError(folder, errno);
}

absl::Status ControlFiles::RemoveGroup(const std::string& folder) {
  return rmdir(folder.c_str()) == 0 ? absl::OkStatus() : SystemError(folder, errno);
}

bool ControlFiles::Writable(const std::string& path) { return access(path.c_str(), W_OK) == 0; }

}  // namespace tune
