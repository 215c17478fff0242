// Messages that hold a study's program, sent without the whole of it being in memory.
#pragma once

#include <google/protobuf/message.h>

#include <functional>
#include <string>

#include "server/store/store.h"
#include "tune/v1/file_part.pb.h"

namespace tune {

// `rest`, serialized, with the study's program as its field `program_field`. NOT_FOUND when the study has
// gone; CANCELLED when `send` says that the caller has.
absl::Status SendWithProgram(const Store& store, const std::string& study_id,
                             const google::protobuf::Message& rest, int program_field,
                             const std::function<bool(const v1::FilePart&)>& send);

}  // namespace tune
