#include "common/base/received_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

namespace tune {
namespace {

// Without a name where the file system has such files; else its name is taken away at once.
int OpenNameless(const std::string& folder) {
#ifdef O_TMPFILE
  const int file = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0) return file;
#endif
  std::string path = folder + "/.tune-received-XXXXXX";
  const int named = mkostemp(path.data(), O_CLOEXEC);
  if (named >= 0) unlink(path.c_str());
  return named;
}

}  // namespace

absl::StatusOr<ReceivedFile> ReceivedFile::Make(const std::string& folder) {
  std::error_code error;
  const std::string place = folder.empty() ? std::filesystem::temp_directory_path(error).string() : folder;
  FileDescriptor file(error ? -1 : OpenNameless(place));
  if (!file.open())
    return absl::UnavailableError(absl::StrCat(place, ": no file can be made here: ", std::strerror(errno)));
  return ReceivedFile(std::move(file), place);
}

ReceivedFile::ReceivedFile(ReceivedFile&& other) noexcept
    : file_(std::move(other.file_)),
      folder_(std::move(other.folder_)),
      size_(other.size_),
      mapped_(std::exchange(other.mapped_, nullptr)) {}

ReceivedFile::~ReceivedFile() {
  if (mapped_ != nullptr) munmap(mapped_, size_);
}

absl::Status ReceivedFile::Append(absl::string_view part) {
  while (!part.empty()) {
    const ssize_t n = write(file_.get(), part.data(), part.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      const std::string what =
          absl::StrCat(folder_, ": what is received cannot be kept: ", std::strerror(errno));
      const bool full = errno == ENOSPC || errno == EDQUOT || errno == EFBIG;
      return full ? absl::ResourceExhaustedError(what) : absl::UnavailableError(what);
    }
    size_ += n;
    part.remove_prefix(n);
  }
  return absl::OkStatus();
}

absl::StatusOr<int> ReceivedFile::FromStart() const {
  if (lseek(file_.get(), 0, SEEK_SET) == 0) return file_.get();
  return absl::UnavailableError(absl::StrCat(folder_, ": cannot be read again: ", std::strerror(errno)));
}

absl::StatusOr<absl::string_view> ReceivedFile::Content() {
  if (size_ == 0) return absl::string_view();
  if (mapped_ == nullptr) {
    void* const place = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file_.get(), 0);
    if (place == MAP_FAILED)
      return absl::UnavailableError(absl::StrCat(folder_, ": cannot be read again: ", std::strerror(errno)));
    mapped_ = place;
  }
  return absl::string_view(static_cast<const char*>(mapped_), size_);
}

}  // namespace tune
