#include "worker/run/guarded_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/strip.h"
#include "common/base/file_descriptor.h"

namespace tune {
namespace {

constexpr unsigned char kPattern = 0xA5;
constexpr size_t kHugePage = 2 << 20;
constexpr char kInherited[] = "descriptor:";

size_t RoundUp(size_t value, size_t unit) { return (value + unit - 1) / unit * unit; }

size_t PageSize() {
  static const size_t size = sysconf(_SC_PAGESIZE);
  return size;
}

// As mmap, without access, from an address at which the kernel can map a huge page to the memory's begin.
void* MapShared(size_t bytes) {
  void* const reserved =
      mmap(nullptr, bytes + kHugePage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (reserved == MAP_FAILED) return MAP_FAILED;
  char* const begin = static_cast<char*>(reserved);
  char* const place =
      begin + (RoundUp(reinterpret_cast<uintptr_t>(begin), kHugePage) - reinterpret_cast<uintptr_t>(begin));
  void* const mapping = mmap(place, bytes, PROT_NONE, MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  if (mapping == MAP_FAILED) {
    munmap(reserved, bytes + kHugePage);
    return MAP_FAILED;
  }
  char* const end = place + RoundUp(bytes, PageSize());
  if (place > begin) munmap(begin, place - begin);
  if (end < begin + bytes + kHugePage) munmap(end, begin + bytes + kHugePage - end);
  return mapping;
}

// Kernels that do not know one or the other, or are told not to, leave small pages.
void AskForHugePages(char* data, size_t bytes) {
  constexpr int kCollapse = 25;  // MADV_COLLAPSE, since Linux 6.1
  const size_t skipped =
      RoundUp(reinterpret_cast<uintptr_t>(data), kHugePage) - reinterpret_cast<uintptr_t>(data);
  if (bytes < skipped + kHugePage) return;
  madvise(data, bytes, MADV_HUGEPAGE);
  madvise(data + skipped, (bytes - skipped) / kHugePage * kHugePage, kCollapse);
}

}  // namespace

absl::StatusOr<GuardedMemory> GuardedMemory::Make(size_t bytes, bool huge_pages) {
  GuardedMemory memory;
  memory.size_ = bytes;
  memory.mapping_size_ = memory.Usable() + 2 * kGuard;
  void* const mapping = MapShared(memory.mapping_size_);
  if (mapping == MAP_FAILED) {
    return absl::ResourceExhaustedError(absl::StrCat(bytes, " bytes of memory: ", std::strerror(errno)));
  }
  memory.mapping_ = mapping;
  memory.data_ = static_cast<char*>(mapping) + kGuard;
  if (memory.Usable() > 0 && mprotect(memory.data_, memory.Usable(), PROT_READ | PROT_WRITE) != 0) {
    return absl::ResourceExhaustedError(absl::StrCat(bytes, " bytes of memory: ", std::strerror(errno)));
  }
  if (huge_pages) AskForHugePages(memory.data_, memory.Usable());
  std::memset(memory.data_ + bytes, kPattern, memory.Usable() - bytes);
  return memory;
}

GuardedMemory::~GuardedMemory() {
  if (mapping_ != nullptr) munmap(mapping_, mapping_size_);
}

GuardedMemory::GuardedMemory(GuardedMemory&& other) noexcept { *this = std::move(other); }

GuardedMemory& GuardedMemory::operator=(GuardedMemory&& other) noexcept {
  std::swap(mapping_, other.mapping_);
  std::swap(mapping_size_, other.mapping_size_);
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

size_t GuardedMemory::Usable() const { return RoundUp(size_, PageSize()); }

absl::Status GuardedMemory::MakeReadOnly() {
  if (size_ > 0 && mprotect(data_, Usable(), PROT_READ) != 0) {
    return absl::InternalError(absl::StrCat("mprotect: ", std::strerror(errno)));
  }
  return absl::OkStatus();
}

bool GuardedMemory::PatternIntact() const {
  for (size_t i = size_; i < Usable(); ++i) {
    if (static_cast<unsigned char>(data_[i]) != kPattern) return false;
  }
  return true;
}

std::string InheritedPath(int descriptor) { return absl::StrCat(kInherited, descriptor); }

absl::StatusOr<MappedFile> MappedFile::Open(const std::string& path, size_t expected_size) {
  int inherited = -1;
  const bool is_open =
      absl::StartsWith(path, kInherited) && absl::SimpleAtoi(absl::StripPrefix(path, kInherited), &inherited);
  // A pipe would be waited for without O_NONBLOCK.
  const FileDescriptor file(is_open ? inherited
                                    : open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC));
  if (!file.open()) {
    const std::string text = absl::StrCat(path, ": ", std::strerror(errno));
    return errno == ENOENT ? absl::NotFoundError(text) : absl::UnavailableError(text);
  }
  struct stat info;
  if (fstat(file.get(), &info) != 0)
    return absl::UnavailableError(absl::StrCat(path, ": ", std::strerror(errno)));
  if (!S_ISREG(info.st_mode)) return absl::InvalidArgumentError(absl::StrCat(path, ": not a regular file"));
  if (static_cast<size_t>(info.st_size) != expected_size) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": has ", info.st_size, " bytes, expected ", expected_size));
  }
  MappedFile mapped;
  if (expected_size == 0) return mapped;
  void* data = mmap(nullptr, expected_size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (data == MAP_FAILED) return absl::ResourceExhaustedError(absl::StrCat(path, ": ", std::strerror(errno)));
  mapped.data_ = data;
  mapped.size_ = expected_size;
  return mapped;
}

absl::Status MappedFile::KeepFromChildren() const {
  if (data_ == nullptr || madvise(data_, size_, MADV_DONTFORK) == 0) return absl::OkStatus();
  return absl::InternalError(absl::StrCat("madvise(DONTFORK): ", std::strerror(errno)));
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) munmap(data_, size_);
}

MappedFile::MappedFile(MappedFile&& other) noexcept { *this = std::move(other); }

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

}  // namespace tune
