#include "common/exchange/message_memory.h"

#include <google/protobuf/descriptor.pb.h>

#include <unordered_map>

namespace tune {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;

constexpr int64_t kTextBytes = 48;       // an empty string and the pointer to it
constexpr int64_t kNumberBytes = 8;      // an element of a repeated field
constexpr int64_t kMapEntryBytes = 200;  // a node of a hash table
constexpr int64_t kPointerBytes = 16;
constexpr int64_t kHeaderBytes = 40;    // of a message: virtual functions, arena, presence, cached size
constexpr int64_t kRepeatedBytes = 24;  // a repeated field without elements
constexpr int64_t kMapBytes = 160;      // a map without entries
constexpr int kDeepest = 100;           // the parser goes no deeper

// Of the tag, as the encoding of protocol buffers defines them.
enum WireType {
  kVarint = 0,
  kFixed64 = 1,
  kLengthDelimited = 2,
  kStartGroup = 3,
  kEndGroup = 4,
  kFixed32 = 5
};

class MemoryCount {
 public:
  MemoryCount(google::protobuf::io::CodedInputStream* stream, int64_t most) : stream_(*stream), most_(most) {}

  int64_t bytes() const { return bytes_; }

  // The fields up to the stream's limit. False: there is no more to be read.
  bool CountFields(const Descriptor& type, int depth) {
    while (const uint32_t tag = stream_.ReadTag()) {
      if (!CountField(type, tag, depth) || bytes_ > most_) return false;
    }
    return true;
  }

 private:
  bool CountField(const Descriptor& type, uint32_t tag, int depth) {
    uint64_t wide = 0;
    uint32_t narrow = 0;
    bytes_ += kNumberBytes;
    switch (tag & 7) {
      case kVarint:
        return stream_.ReadVarint64(&wide);
      case kFixed64:
        return stream_.ReadLittleEndian64(&wide);
      case kFixed32:
        return stream_.ReadLittleEndian32(&narrow);
      case kLengthDelimited:
        return CountLengthDelimited(type.FindFieldByNumber(static_cast<int>(tag >> 3)), depth);
      case kStartGroup:
      case kEndGroup:
        bytes_ += kTextBytes;  // unknown fields; those between are counted as if they were of this message
        return true;
      default:
        return false;
    }
  }

  // `field`: null for one that is not known, which is kept as bytes.
  bool CountLengthDelimited(const FieldDescriptor* field, int depth) {
    uint32_t length = 0;
    if (!stream_.ReadVarint32(&length) || length > INT32_MAX) return false;
    const bool text = field == nullptr || field->cpp_type() == FieldDescriptor::CPPTYPE_STRING;
    if (text || field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) {
      bytes_ += text ? kTextBytes + length : kNumberBytes * int64_t{length};
      return stream_.Skip(static_cast<int>(length));
    }
    bytes_ += MessageBytes(*field->message_type());
    if (depth == kDeepest) return false;
    const auto outer = stream_.PushLimit(static_cast<int>(length));
    const bool more = CountFields(*field->message_type(), depth + 1);
    stream_.PopLimit(outer);
    return more;
  }

  // Of one without any field set: not less than the generated class takes.
  int64_t MessageBytes(const Descriptor& type) {
    if (type.options().map_entry()) return kMapEntryBytes;
    int64_t& bytes = of_type_[&type];
    if (bytes > 0) return bytes;
    bytes = kPointerBytes + kHeaderBytes;
    for (int i = 0; i < type.field_count(); ++i) {
      const FieldDescriptor& field = *type.field(i);
      bytes += field.is_map() ? kMapBytes : field.is_repeated() ? kRepeatedBytes : kNumberBytes;
    }
    return bytes;
  }

  google::protobuf::io::CodedInputStream& stream_;
  const int64_t most_;
  int64_t bytes_ = 0;
  std::unordered_map<const Descriptor*, int64_t> of_type_;
};

}  // namespace

int64_t ParsedBytes(const Descriptor& type, google::protobuf::io::CodedInputStream* stream, int64_t most) {
  MemoryCount count(stream, most);
  count.CountFields(type, 0);
  return count.bytes();
}

}  // namespace tune
