// A large message on its way in: on the disk, so that those on their way take no memory.
#pragma once

#include <google/protobuf/message.h>

#include <cstdint>

#include "absl/strings/string_view.h"
#include "common/base/received_file.h"
#include "common/base/status.h"

namespace tune {

// A ReceivedFile with a bound, that is a message in the end.
class Spool {
 public:
  // In `folder`; empty: that of temporary files. UNAVAILABLE with path and reason.
  static absl::StatusOr<Spool> Make(const std::string& folder, int64_t most_bytes);

  // INVALID_ARGUMENT when it becomes more than `most_bytes`, RESOURCE_EXHAUSTED when the disk is full.
  absl::Status Add(absl::string_view piece);
  int64_t bytes() const { return static_cast<int64_t>(file_.size()); }

  // The message that the pieces are. INVALID_ARGUMENT when they are none of its type, or one that would take
  // more than `most_memory` bytes.
  absl::Status Parse(int64_t most_memory, google::protobuf::Message* message) const;

 private:
  Spool(ReceivedFile file, int64_t most_bytes) : file_(std::move(file)), most_bytes_(most_bytes) {}

  ReceivedFile file_;
  int64_t most_bytes_;
};

}  // namespace tune
