#include "server/service/program_stream.h"

#include "common/rpc/message_parts.h"
#include "server/service/guarded_service.h"

namespace tune {

absl::Status SendWithProgram(const Store& store, const std::string& study_id,
                             const google::protobuf::Message& rest, int program_field,
                             const std::function<bool(const v1::FilePart&)>& send) {
  TUNE_ASSIGN_OR_RETURN(const int64_t bytes, store.ProgramBytes(study_id));
  if (!SendInParts(rest, send)) return CallerGone();
  if (bytes == 0) return absl::OkStatus();
  v1::FilePart part;
  part.set_data(FieldHead(program_field, bytes));
  if (!send(part)) return CallerGone();
  return store.ReadProgram(study_id, [&](std::string piece) {
    part.set_data(std::move(piece));
    return send(part) ? absl::OkStatus() : CallerGone();
  });
}

}  // namespace tune
