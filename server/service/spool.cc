#include "server/service/spool.h"

#include <fcntl.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "common/exchange/message_memory.h"

namespace tune {
namespace {

absl::Status Failed(const std::string& folder) {
  const std::string message =
      absl::StrCat(folder, ": no temporary file can be written: ", std::strerror(errno));
  return errno == ENOSPC || errno == EDQUOT ? absl::ResourceExhaustedError(message + "; free some space")
                                            : absl::UnavailableError(message);
}

std::string TemporaryFiles() {
  const char* folder = std::getenv("TMPDIR");
  return folder != nullptr && folder[0] == '/' ? folder : "/tmp";
}

}  // namespace

absl::StatusOr<Spool> Spool::Make(const std::string& wanted, int64_t most_bytes) {
  const std::string folder = wanted.empty() ? TemporaryFiles() : wanted;
  std::string path = folder + "/.spool-XXXXXX";
  FileDescriptor file(mkostemp(path.data(), O_CLOEXEC));
  if (!file.open()) return Failed(folder);
  unlink(path.c_str());
  return Spool(std::move(file), most_bytes);
}

absl::Status Spool::Add(absl::string_view piece) {
  if (bytes_ + static_cast<int64_t>(piece.size()) > most_bytes_) {
    return absl::InvalidArgumentError(
        absl::StrCat("the message has more than ", most_bytes_, " bytes, which is the most that is taken"));
  }
  bytes_ += static_cast<int64_t>(piece.size());
  while (!piece.empty()) {
    const ssize_t written = write(file_.get(), piece.data(), piece.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return Failed("the server");
    piece.remove_prefix(static_cast<size_t>(written));
  }
  return absl::OkStatus();
}

absl::Status Spool::Parse(int64_t most_memory, google::protobuf::Message* message) const {
  const google::protobuf::Descriptor& type = *message->GetDescriptor();
  if (lseek(file_.get(), 0, SEEK_SET) != 0) return Failed("the server");
  {
    google::protobuf::io::FileInputStream file(file_.get());
    google::protobuf::io::CodedInputStream stream(&file);
    if (ParsedBytes(type, &stream, most_memory) > most_memory) {
      return absl::InvalidArgumentError(absl::StrCat(type.name(), ": the message would take more than ",
                                                     most_memory >> 20, " MiB of memory; it is refused"));
    }
  }
  if (lseek(file_.get(), 0, SEEK_SET) != 0) return Failed("the server");
  google::protobuf::io::FileInputStream file(file_.get());
  if (message->ParseFromZeroCopyStream(&file)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(type.name(), ": the message cannot be read; it is damaged or another one"));
}

}  // namespace tune
