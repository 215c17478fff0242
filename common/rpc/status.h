// absl::Status and grpc::Status: the same canonical codes, two types.
#pragma once

#include <grpcpp/support/status.h>

#include "absl/status/status.h"

namespace tune {

// Same code and message. A code that absl does not know becomes UNKNOWN.
absl::Status FromGrpc(const grpc::Status& status);

// Same code; the message is cut to 4 KiB, because it travels in an HTTP/2 header.
grpc::Status ToGrpc(const absl::Status& status);

// Whether the call may be sent again as it is: the server could not be reached, went away in the
// middle, or did not answer in time.
bool IsTransient(const absl::Status& status);

}  // namespace tune
