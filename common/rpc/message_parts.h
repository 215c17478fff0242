// Messages with programs in them are too large to be one message of gRPC: they travel in parts.
#pragma once

#include <google/protobuf/message.h>

#include <cstdint>
#include <functional>

#include "absl/strings/string_view.h"
#include "common/base/status.h"
#include "tune/v1/file_part.pb.h"

namespace tune {

inline constexpr int kPartBytes = 1 << 20;

// Serializes into parts; no second copy of the message is made. False when `send` has said so, which ends it.
bool SendInParts(const google::protobuf::Message& message,
                 const std::function<bool(const v1::FilePart&)>& send);

// The begin of a field of bytes or of a message, which is `bytes` long and follows: so a message can be sent
// whose largest field is nowhere as a whole.
std::string FieldHead(int field_number, int64_t bytes);

// Puts together what `read` gives until it says false. RESOURCE_EXHAUSTED when that is more than
// `most_bytes`; DATA_LOSS when it is no message of this type.
absl::Status ReadInParts(const std::function<bool(v1::FilePart*)>& read, int64_t most_bytes,
                         google::protobuf::Message* message);

}  // namespace tune
