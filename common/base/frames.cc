#include "common/base/frames.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

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

std::string Framed(absl::string_view message) {
  std::string framed(kFrameHeader, '\0');
  for (size_t i = 0; i < kFrameHeader; ++i) framed[i] = static_cast<char>(message.size() >> (8 * i) & 0xff);
  framed.append(message.data(), message.size());
  return framed;
}

size_t FramedLength(absl::string_view frame) {
  size_t length = 0;
  for (size_t i = 0; i < kFrameHeader; ++i) length |= size_t{static_cast<unsigned char>(frame[i])} << (8 * i);
  return length;
}

absl::StatusOr<std::optional<std::string>> ReadFrame(int fd, size_t longest) {
  char header[kFrameHeader];
  TUNE_ASSIGN_OR_RETURN(const size_t header_bytes, ReadFully(fd, header, kFrameHeader));
  if (header_bytes == 0) return std::optional<std::string>();
  if (header_bytes < kFrameHeader) {
    return absl::InvalidArgumentError(
        absl::StrCat("a message's length was cut off after ", header_bytes, " bytes"));
  }
  const size_t length = FramedLength(absl::string_view(header, kFrameHeader));
  if (length > longest) {
    return absl::InvalidArgumentError(
        absl::StrCat("a message of ", length, " bytes is announced, ", longest, " are allowed"));
  }
  std::string message(length, '\0');
  TUNE_ASSIGN_OR_RETURN(const size_t message_bytes, ReadFully(fd, message.data(), length));
  if (message_bytes < length) {
    return absl::InvalidArgumentError(
        absl::StrCat("a message of ", length, " bytes was cut off after ", message_bytes));
  }
  return std::optional<std::string>(std::move(message));
}

absl::Status WriteFrame(int fd, absl::string_view message) {
  const std::string framed = Framed(message);
  size_t done = 0;
  while (done < framed.size()) {
    const ssize_t count = write(fd, framed.data() + done, framed.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0)
      return absl::UnavailableError(absl::StrCat("cannot write a message: ", std::strerror(errno)));
    done += count;
  }
  return absl::OkStatus();
}

}  // namespace tune
