// A client's half of authentication: the bearer token that goes with every call.
#pragma once

#include <grpcpp/support/client_interceptor.h>

#include <memory>
#include <string>

namespace tune {

// For OpenChannel: adds `authorization: Bearer TOKEN` to each call.
std::unique_ptr<grpc::experimental::ClientInterceptorFactoryInterface> BearerTokenInterceptor(
    const std::string& token);

}  // namespace tune
