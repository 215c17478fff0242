// Memory of one array, such that accesses beside it are noticed.
#pragma once

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"
#include "common/base/status.h"

namespace tune {

// Page-aligned memory between two ranges that cannot be accessed, shared with the processes that this one
// forks. The rest of the last page is filled with a pattern that tells whether it was overwritten.
class GuardedMemory {
 public:
  // `huge_pages`: asks for them; the kernel may have none for shared memory. RESOURCE_EXHAUSTED when the
  // system has no room.
  static absl::StatusOr<GuardedMemory> Make(size_t bytes, bool huge_pages = false);
  ~GuardedMemory();
  GuardedMemory(GuardedMemory&& other) noexcept;
  GuardedMemory& operator=(GuardedMemory&& other) noexcept;

  void* data() const { return data_; }
  size_t size() const { return size_; }
  size_t guard_size() const { return kGuard; }

  // From now on a write of this process ends it with SIGSEGV; others that share the memory may go on writing.
  absl::Status MakeReadOnly();

  // False when something was written behind the end.
  bool PatternIntact() const;

 private:
  // Wide enough that a loop nest that is off by a row of a usual matrix still hits it.
  static constexpr size_t kGuard = 1 << 20;

  GuardedMemory() = default;
  size_t Usable() const;  // size_ rounded up to whole pages

  void* mapping_ = nullptr;
  size_t mapping_size_ = 0;
  char* data_ = nullptr;
  size_t size_ = 0;
};

// Stands for a descriptor that the process was started with (SubprocessOptions::inherited), which whoever
// opens it takes over.
std::string InheritedPath(int descriptor);

// A file's content, mapped read-only; unmapped by the destructor.
class MappedFile {
 public:
  // `path` may be an InheritedPath. NOT_FOUND or UNAVAILABLE with path and reason; INVALID_ARGUMENT when it
  // is no regular file or has another size.
  static absl::StatusOr<MappedFile> Open(const std::string& path, size_t expected_size);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;

  // Processes that this one forks from now on do not have it.
  absl::Status KeepFromChildren() const;

  const void* data() const { return data_; }  // null when the file is empty
  size_t size() const { return size_; }

 private:
  MappedFile() = default;
  void* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace tune
