// How much memory a message from elsewhere takes, before it is parsed.
#pragma once

#include <google/protobuf/descriptor.h>
#include <google/protobuf/io/coded_stream.h>

#include <cstdint>

namespace tune {

// Bytes that a message of this type takes in memory once parsed from `stream`, roughly and rather too many:
// two bytes of the stream can be a message of hundreds. Stops reading once there are more than `most`; what
// cannot be parsed is counted as far as it goes.
int64_t ParsedBytes(const google::protobuf::Descriptor& type, google::protobuf::io::CodedInputStream* stream,
                    int64_t most);

}  // namespace tune
