// A large message on its way in: on the disk, so that those on their way take no memory.
#pragma once

#include <google/protobuf/message.h>

#include <cstdint>

#include "absl/strings/string_view.h"
#include "common/base/file_descriptor.h"
#include "common/base/status.h"

namespace tune {

// A file without a name, which is gone with this object.
class Spool {
 public:
  // In `folder`; empty: that of temporary files. UNAVAILABLE with path and reason.
  static absl::StatusOr<Spool> Make(const std::string& folder, int64_t most_bytes);

  // INVALID_ARGUMENT when it becomes more than `most_bytes`, RESOURCE_EXHAUSTED when the disk is full.
  absl::Status Add(absl::string_view piece);
  int64_t bytes() const { return bytes_; }

  // The message that the pieces are. INVALID_ARGUMENT when they are none of its type, or one that would take
  // more than `most_memory` bytes.
  absl::Status Parse(int64_t most_memory, google::protobuf::Message* message) const;

 private:
  Spool(FileDescriptor file, int64_t most_bytes) : file_(std::move(file)), most_bytes_(most_bytes) {}

  FileDescriptor file_;
  int64_t most_bytes_;
  int64_t bytes_ = 0;
};

}  // namespace tune
