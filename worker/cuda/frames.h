// Messages on pipes: their length in bytes (4 bytes, least significant first), then the message.
#pragma once

#include <optional>

#include "common/base/status.h"
#include "google/protobuf/message_lite.h"

namespace tune {

// Longest message taken. A job has names of files, not their content.
constexpr uint32_t kLongestFrame = 64 << 20;

// False when the stream ends before the frame begins. INVALID_ARGUMENT: too long, cut off, or not such a
// message; UNAVAILABLE: the descriptor cannot be read. Nothing can be read after an error.
absl::StatusOr<bool> ReadFrame(int fd, google::protobuf::MessageLite* message);

// UNAVAILABLE when the other side is gone.
absl::Status WriteFrame(int fd, const google::protobuf::MessageLite& message);

}  // namespace tune
