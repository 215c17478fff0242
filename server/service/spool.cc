#include "server/service/spool.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl.h>

#include "common/exchange/message_memory.h"

namespace tune {

absl::StatusOr<Spool> Spool::Make(const std::string& folder, int64_t most_bytes) {
  TUNE_ASSIGN_OR_RETURN(ReceivedFile file, ReceivedFile::Make(folder));
  return Spool(std::move(file), most_bytes);
}

absl::Status Spool::Add(absl::string_view piece) {
  if (bytes() + static_cast<int64_t>(piece.size()) > most_bytes_) {
    return absl::InvalidArgumentError(
        absl::StrCat("the message has more than ", most_bytes_, " bytes, which is the most that is taken"));
  }
  return file_.Append(piece);
}

absl::Status Spool::Parse(int64_t most_memory, google::protobuf::Message* message) const {
  const google::protobuf::Descriptor& type = *message->GetDescriptor();
  TUNE_ASSIGN_OR_RETURN(int descriptor, file_.FromStart());
  {
    google::protobuf::io::FileInputStream file(descriptor);
    google::protobuf::io::CodedInputStream stream(&file);
    if (ParsedBytes(type, &stream, most_memory) > most_memory) {
      return absl::InvalidArgumentError(absl::StrCat(type.name(), ": the message would take more than ",
                                                     most_memory >> 20, " MiB of memory; it is refused"));
    }
  }
  TUNE_ASSIGN_OR_RETURN(descriptor, file_.FromStart());
  google::protobuf::io::FileInputStream file(descriptor);
  if (message->ParseFromZeroCopyStream(&file)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(type.name(), ": the message cannot be read; it is damaged or another one"));
}

}  // namespace tune
