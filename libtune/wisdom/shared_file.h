// Files that several processes read and write.
#pragma once

#include <string>
#include <string_view>

#include "libtune/base/status.h"

namespace libtune {

inline constexpr size_t kMostFileBytes = size_t{64} << 20;

// NOT_FOUND, IO, or REFUSED_FILE for what is no plain file, or larger than kMostFileBytes.
Status ReadFile(const std::string& path, std::string* content);

// Differs once a file was replaced, or written to; of no file it is empty.
struct FileState {
  unsigned long long device = 0, number = 0, bytes = 0;
  long long nanoseconds = 0;  // of the last change, since 1970

  bool operator==(const FileState& other) const {
    return device == other.device && number == other.number && bytes == other.bytes &&
           nanoseconds == other.nanoseconds;
  }
};
FileState StateOf(const std::string& path);

// All of it or nothing, whenever the process or the machine stops.
Status ReplaceFile(const std::string& path, std::string_view content);

// One write at the end of the file, which is made when it is not there.
Status AppendToFile(const std::string& path, std::string_view content);

// An advisory lock of what `path` holds, by flock of PATH.lock, a file beside it that stays; the file itself
// is replaced. Of one process and one thread at a time; free again when the process ends, however it does.
class FileLock {
 public:
  FileLock() = default;
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

  // Waits `seconds` at most. IO when another one keeps it, or there can be no such file.
  Status Take(const std::string& path, double seconds);

 private:
  int descriptor_ = -1;
};

}  // namespace libtune
