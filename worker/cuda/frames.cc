#include "worker/cuda/frames.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

namespace tune {
namespace {

// Bytes read, fewer than `size` only at the stream's end.
absl::StatusOr<size_t> ReadFully(int fd, char* buffer, size_t size) {
  size_t done = 0;
  while (done < size) {
    const ssize_t count = read(fd, buffer + done, size - done);
    if (count == 0) break;
    if (count < 0 && errno == EINTR) continue;
    if (count < 0)
      return absl::UnavailableError(absl::StrCat("cannot read a message: ", std::strerror(errno)));
    done += count;
  }
  return done;
}

}  // namespace

absl::StatusOr<bool> ReadFrame(int fd, google::protobuf::MessageLite* message) {
  unsigned char head[4];
  TUNE_ASSIGN_OR_RETURN(const size_t head_bytes, ReadFully(fd, reinterpret_cast<char*>(head), sizeof(head)));
  if (head_bytes == 0) return false;
  if (head_bytes < sizeof(head)) {
    return absl::InvalidArgumentError(
        absl::StrCat("a message's length was cut off after ", head_bytes, " bytes"));
  }
  const uint32_t length = head[0] | head[1] << 8 | head[2] << 16 | static_cast<uint32_t>(head[3]) << 24;
  if (length > kLongestFrame) {
    return absl::InvalidArgumentError(
        absl::StrCat("a message of ", length, " bytes is announced, ", kLongestFrame, " are allowed"));
  }
  std::string bytes(length, '\0');
  TUNE_ASSIGN_OR_RETURN(const size_t body_bytes, ReadFully(fd, bytes.data(), length));
  if (body_bytes < length) {
    return absl::InvalidArgumentError(
        absl::StrCat("a message of ", length, " bytes was cut off after ", body_bytes));
  }
  if (!message->ParseFromString(bytes)) {
    return absl::InvalidArgumentError(
        absl::StrCat("a message of ", length, " bytes is not a ", message->GetTypeName()));
  }
  return true;
}

absl::Status WriteFrame(int fd, const google::protobuf::MessageLite& message) {
  const std::string body = message.SerializeAsString();
  std::string bytes;
  for (int shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<char>(body.size() >> shift & 0xff));
  bytes += body;
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count = write(fd, bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return absl::UnavailableError(absl::StrCat("cannot answer: ", std::strerror(errno)));
    done += count;
  }
  return absl::OkStatus();
}

}  // namespace tune
