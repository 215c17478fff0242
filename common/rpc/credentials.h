// Bearer token: sent by clients with every call, checked by the server at the start of every call.
#pragma once

#include <grpcpp/server_context.h>
#include <grpcpp/support/client_interceptor.h>

#include <memory>
#include <string>

#include "absl/strings/string_view.h"
#include "common/base/status.h"

namespace tune {

// First line of the file without surrounding white space. INVALID_ARGUMENT when it is empty, shorter
// than 16 characters, or holds characters that may not stand in a header. Errors name the file.
absl::StatusOr<std::string> ReadToken(const std::string& path);

// INVALID_ARGUMENT when `token` cannot be used as one; says why.
absl::Status CheckTokenText(absl::string_view token);

// For OpenChannel: adds `authorization: Bearer TOKEN` to each call.
std::unique_ptr<grpc::experimental::ClientInterceptorFactoryInterface> BearerTokenInterceptor(
    const std::string& token);

// Server side. Immutable, thread safe.
class TokenVerifier {
 public:
  // Empty: every call is accepted.
  explicit TokenVerifier(std::string token) : token_(std::move(token)) {}

  // OK, or UNAUTHENTICATED with what the caller should do. Compares in constant time.
  absl::Status Check(const grpc::ServerContext& context) const;

 private:
  std::string token_;
};

}  // namespace tune
