#include "worker/cuda/device_memory.h"

#include <algorithm>
#include <array>
#include <utility>

namespace tune {
namespace {

constexpr unsigned char kPattern = 0xC5;

}  // namespace

absl::StatusOr<DeviceMemory> DeviceMemory::Make(const DeviceSession& session, size_t bytes) {
  TUNE_ASSIGN_OR_RETURN(const int64_t available, session.MakeRoom(static_cast<int64_t>(bytes + kGuard)));
  if (bytes + kGuard > static_cast<size_t>(available)) {
    return absl::ResourceExhaustedError(
        absl::StrCat(bytes, " bytes of device memory are needed, ", available, " are to be had"));
  }
  DeviceMemory memory;
  memory.session_ = &session;
  memory.size_ = bytes;
  TUNE_RETURN_IF_ERROR(session.Check(session.driver().cuMemAlloc(&memory.address_, bytes + kGuard),
                                     absl::StrCat("cuMemAlloc of ", bytes, " bytes")));
  TUNE_RETURN_IF_ERROR(memory.RestorePattern());
  return memory;
}

DeviceMemory::~DeviceMemory() {
  if (address_ != 0) session_->driver().cuMemFree(address_);
}

DeviceMemory::DeviceMemory(DeviceMemory&& other) noexcept { *this = std::move(other); }

DeviceMemory& DeviceMemory::operator=(DeviceMemory&& other) noexcept {
  std::swap(session_, other.session_);
  std::swap(address_, other.address_);
  std::swap(size_, other.size_);
  return *this;
}

absl::Status DeviceMemory::CopyFrom(const DeviceMemory& other) {
  if (size_ == 0) return absl::OkStatus();
  return session_->Check(
      session_->driver().cuMemcpyDtoDAsync(address_, other.address_, size_, session_->stream()),
      "cuMemcpyDtoDAsync");
}

absl::Status DeviceMemory::Fill(unsigned char byte) {
  if (size_ == 0) return absl::OkStatus();
  return session_->Check(session_->driver().cuMemsetD8Async(address_, byte, size_, session_->stream()),
                         "cuMemsetD8Async");
}

absl::Status DeviceMemory::CopyFromHost(const void* source) {
  if (size_ == 0) return absl::OkStatus();
  TUNE_RETURN_IF_ERROR(
      session_->Check(session_->driver().cuMemcpyHtoDAsync(address_, source, size_, session_->stream()),
                      "cuMemcpyHtoDAsync"));
  return session_->Synchronize();
}

absl::Status DeviceMemory::CopyToHost(void* target) const {
  if (size_ == 0) return absl::OkStatus();
  TUNE_RETURN_IF_ERROR(
      session_->Check(session_->driver().cuMemcpyDtoHAsync(target, address_, size_, session_->stream()),
                      "cuMemcpyDtoHAsync"));
  return session_->Synchronize();
}

absl::StatusOr<bool> DeviceMemory::PatternIntact() const {
  std::array<unsigned char, kGuard> guard;
  TUNE_RETURN_IF_ERROR(session_->Check(
      session_->driver().cuMemcpyDtoHAsync(guard.data(), address_ + size_, kGuard, session_->stream()),
      "cuMemcpyDtoHAsync"));
  TUNE_RETURN_IF_ERROR(session_->Synchronize());
  return std::all_of(guard.begin(), guard.end(), [](unsigned char byte) { return byte == kPattern; });
}

absl::Status DeviceMemory::RestorePattern() {
  return session_->Check(
      session_->driver().cuMemsetD8Async(address_ + size_, kPattern, kGuard, session_->stream()),
      "cuMemsetD8Async");
}

}  // namespace tune
