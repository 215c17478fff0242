// Messages on pipes: their length in bytes (4 bytes, least significant first), then the message.
#pragma once

#include <optional>
#include <string>

#include "common/base/status.h"

namespace tune {

constexpr size_t kFrameHeader = 4;  // bytes of the length

// The message after its length, which is below 4 GiB.
std::string Framed(absl::string_view message);

// The length that the first bytes of `frame` tell; it has at least kFrameHeader.
size_t FramedLength(absl::string_view frame);

// Waits for the next message of at most `longest` bytes. None when the stream ends before the frame begins.
// INVALID_ARGUMENT: too long, or cut off; UNAVAILABLE: the descriptor cannot be read. Nothing can be read
// after an error.
absl::StatusOr<std::optional<std::string>> ReadFrame(int fd, size_t longest);

// UNAVAILABLE when the other side is gone; the process then also gets SIGPIPE, unless that is ignored.
absl::Status WriteFrame(int fd, absl::string_view message);

// ReadFrame of a message of protocol buffers: false at the stream's end, INVALID_ARGUMENT also for bytes that
// are no such message.
template <typename Message>
absl::StatusOr<bool> ReadMessage(int fd, size_t longest, Message* message) {
  TUNE_ASSIGN_OR_RETURN(const std::optional<std::string> bytes, ReadFrame(fd, longest));
  if (!bytes.has_value()) return false;
  if (message->ParseFromString(*bytes)) return true;
  return absl::InvalidArgumentError(
      absl::StrCat("a message of ", bytes->size(), " bytes is not a ", message->GetTypeName()));
}

template <typename Message>
absl::Status WriteMessage(int fd, const Message& message) {
  return WriteFrame(fd, message.SerializeAsString());
}

}  // namespace tune
