// A file that comes in parts from elsewhere, kept on the disk instead of in memory.
#pragma once

#include <string>

#include "absl/strings/string_view.h"
#include "common/base/file_descriptor.h"
#include "common/base/status.h"

namespace tune {

// Has no name: it is gone when this is, also when the process is killed. One thread.
class ReceivedFile {
 public:
  // In this folder; empty: that for temporary files. UNAVAILABLE with folder and reason.
  static absl::StatusOr<ReceivedFile> Make(const std::string& folder);
  ~ReceivedFile();
  ReceivedFile(ReceivedFile&& other) noexcept;
  ReceivedFile& operator=(ReceivedFile&&) = delete;

  // RESOURCE_EXHAUSTED when the disk is full; UNAVAILABLE with the reason.
  absl::Status Append(absl::string_view part);
  size_t size() const { return size_; }

  // Its descriptor, at the beginning, for those who read it in pieces; stays this object's. UNAVAILABLE.
  absl::StatusOr<int> FromStart() const;

  // All of it, mapped into memory for as long as this lives. Nothing may be appended afterwards.
  absl::StatusOr<absl::string_view> Content();

 private:
  ReceivedFile(FileDescriptor file, std::string folder)
      : file_(std::move(file)), folder_(std::move(folder)) {}

  FileDescriptor file_;
  std::string folder_;
  size_t size_ = 0;
  void* mapped_ = nullptr;
};

}  // namespace tune
