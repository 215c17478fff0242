#include "common/rpc/status.h"

#include <string>

namespace tune {
namespace {

constexpr size_t kMaxMessage = 4096;

}  // namespace

absl::Status FromGrpc(const grpc::Status& status) {
  if (status.ok()) return absl::OkStatus();
  const int code = static_cast<int>(status.error_code());
  const bool known = code > 0 && code <= static_cast<int>(absl::StatusCode::kUnauthenticated);
  return absl::Status(known ? static_cast<absl::StatusCode>(code) : absl::StatusCode::kUnknown,
                      status.error_message());
}

grpc::Status ToGrpc(const absl::Status& status) {
  if (status.ok()) return grpc::Status::OK;
  std::string message(status.message());
  if (message.size() > kMaxMessage) {
    message.resize(kMaxMessage - 4);
    // A character of several bytes is not cut in two.
    while (!message.empty() && (static_cast<unsigned char>(message.back()) & 0xC0) == 0x80)
      message.pop_back();
    if (!message.empty() && static_cast<unsigned char>(message.back()) >= 0xC0) message.pop_back();
    message += " ...";
  }
  return grpc::Status(static_cast<grpc::StatusCode>(status.raw_code()), message);
}

bool IsTransient(const absl::Status& status) {
  return absl::IsUnavailable(status) || absl::IsDeadlineExceeded(status);
}

}  // namespace tune
