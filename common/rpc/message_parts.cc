#include "common/rpc/message_parts.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <algorithm>
#include <string>

namespace tune {
namespace {

constexpr int kLengthDelimited = 2;  // wire type

class PartWriter : public google::protobuf::io::CopyingOutputStream {
 public:
  explicit PartWriter(const std::function<bool(const v1::FilePart&)>& send) : send_(send) {}

  bool Write(const void* buffer, int size) override {
    v1::FilePart part;
    part.set_data(buffer, size);
    return send_(part);
  }

 private:
  const std::function<bool(const v1::FilePart&)>& send_;
};

}  // namespace

bool SendInParts(const google::protobuf::Message& message,
                 const std::function<bool(const v1::FilePart&)>& send) {
  PartWriter parts(send);
  google::protobuf::io::CopyingOutputStreamAdaptor stream(&parts, kPartBytes);
  return message.SerializeToZeroCopyStream(&stream) && stream.Flush();
}

std::string FieldHead(int field_number, int64_t bytes) {
  std::string head;
  {
    google::protobuf::io::StringOutputStream text(&head);
    google::protobuf::io::CodedOutputStream stream(&text);
    stream.WriteVarint32(static_cast<uint32_t>(field_number << 3 | kLengthDelimited));
    stream.WriteVarint64(static_cast<uint64_t>(bytes));
  }
  return head;
}

absl::Status ReadInParts(const std::function<bool(v1::FilePart*)>& read, int64_t most_bytes,
                         google::protobuf::Message* message) {
  const std::string& type = message->GetDescriptor()->name();
  std::string bytes;
  v1::FilePart part;
  while (read(&part)) {
    if (static_cast<int64_t>(bytes.size() + part.data().size()) > most_bytes) {
      return absl::ResourceExhaustedError(absl::StrCat(type, ": it has more than ", most_bytes, " bytes"));
    }
    bytes += part.data();
  }
  if (message->ParseFromString(bytes)) return absl::OkStatus();
  return absl::DataLossError(absl::StrCat(type, ": what came is damaged or another message"));
}

}  // namespace tune
