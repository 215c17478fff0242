// Device memory of one array, such that writes behind its end are noticed.
#pragma once

#include <cstddef>

#include "worker/cuda/device_session.h"

namespace tune {

// Memory followed by a page with a pattern. Freed by the destructor. `session` outlives it.
class DeviceMemory {
 public:
  // RESOURCE_EXHAUSTED when the device has too little room (DeviceSession::MakeRoom); the message has the
  // numbers.
  static absl::StatusOr<DeviceMemory> Make(const DeviceSession& session, size_t bytes);
  ~DeviceMemory();
  DeviceMemory(DeviceMemory&& other) noexcept;
  DeviceMemory& operator=(DeviceMemory&& other) noexcept;

  CUdeviceptr address() const { return address_; }
  size_t size() const { return size_; }
  // Size with the pattern up to a whole number of 8-byte words, all of which may be read.
  size_t whole_words() const { return (size_ + 7) / 8; }

  // All on the stream, without waiting for it; sizes must agree.
  absl::Status CopyFrom(const DeviceMemory& other);
  absl::Status Fill(unsigned char byte);
  // Waits for the copy.
  absl::Status CopyFromHost(const void* source);
  absl::Status CopyToHost(void* target) const;

  // False when something was written within the page behind the end. Waits for the stream.
  absl::StatusOr<bool> PatternIntact() const;
  // Writes the pattern again.
  absl::Status RestorePattern();

 private:
  static constexpr size_t kGuard = 4096;

  DeviceMemory() = default;
  const DeviceSession* session_ = nullptr;
  CUdeviceptr address_ = 0;
  size_t size_ = 0;
};

}  // namespace tune
