#include "libtune/wisdom/shared_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace libtune {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  const int number_;
};

Status Failed(const std::string& path, const char* what) {
  return {errno == ENOENT ? TUNE_NOT_FOUND : TUNE_IO, path + ": " + what + ": " + std::strerror(errno)};
}

Status WriteAll(int descriptor, const std::string& path, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = write(descriptor, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return Failed(path, "cannot be written");
    content.remove_prefix(static_cast<size_t>(written));
  }
  return {};
}

}  // namespace

FileState StateOf(const std::string& path) {
  struct stat facts;
  if (stat(path.c_str(), &facts) != 0) return {};
  return {facts.st_dev, facts.st_ino, static_cast<unsigned long long>(facts.st_size),
          facts.st_mtim.tv_sec * 1'000'000'000LL + facts.st_mtim.tv_nsec};
}

Status ReadFile(const std::string& path, std::string* content) {
  // A named pipe is not waited for.
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.number() < 0) return Failed(path, "cannot be read");
  struct stat facts;
  if (fstat(file.number(), &facts) != 0) return Failed(path, "cannot be read");
  if (!S_ISREG(facts.st_mode) || static_cast<size_t>(facts.st_size) > kMostFileBytes) {
    return {TUNE_REFUSED_FILE, path + ": is no plain file of at most 64 MiB"};
  }
  content->clear();
  char buffer[65536];
  while (content->size() <= kMostFileBytes) {
    const ssize_t count = read(file.number(), buffer, sizeof(buffer));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return Failed(path, "cannot be read");
    if (count == 0) return {};
    content->append(buffer, static_cast<size_t>(count));
  }
  return {TUNE_REFUSED_FILE, path + ": is no plain file of at most 64 MiB"};
}

Status ReplaceFile(const std::string& path, std::string_view content) {
  std::string staged = path + ".XXXXXX";
  const Descriptor file(mkostemp(staged.data(), O_CLOEXEC));
  if (file.number() < 0) return Failed(path, "no file can be written beside it");
  Status status = WriteAll(file.number(), staged, content);
  if (status.ok() && (fchmod(file.number(), 0644) != 0 || fsync(file.number()) != 0)) {
    status = Failed(staged, "cannot be written");
  }
  if (status.ok() && rename(staged.c_str(), path.c_str()) != 0) status = Failed(path, "cannot be replaced");
  if (!status.ok()) unlink(staged.c_str());
  return status;
}

Status AppendToFile(const std::string& path, std::string_view content) {
  const Descriptor file(open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0644));
  if (file.number() < 0) return Failed(path, "cannot be written");
  return WriteAll(file.number(), path, content);
}

FileLock::~FileLock() {
  if (descriptor_ >= 0) close(descriptor_);
}

Status FileLock::Take(const std::string& path, double seconds) {
  const std::string name = path + ".lock";
  descriptor_ = open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
  if (descriptor_ < 0) return Failed(name, "cannot be made");
  constexpr long kPause = 5'000'000;  // nanoseconds
  for (double waited = 0;; waited += kPause * 1e-9) {
    if (flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return {};
    if (errno != EWOULDBLOCK && errno != EINTR) return Failed(name, "cannot be locked");
    if (waited >= seconds)
      return {TUNE_IO, name + ": another process or thread keeps it locked; try again later"};
    const timespec pause = {0, kPause};
    nanosleep(&pause, nullptr);
  }
}

}  // namespace libtune
