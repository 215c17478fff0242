// All calls of the server, before it is known what they are.
#pragma once

#include <grpcpp/generic/async_generic_service.h>

#include <string>
#include <vector>

#include "server/service/guarded_service.h"

namespace tune {

// Leads each call to the service whose method it names, as bytes: what a message is and whether it is read
// at all is the service's matter. On the wire nothing differs from services of gRPC's own. Thread safe.
class RpcRouter final : public grpc::CallbackGenericService {
 public:
  // Nothing is owned.
  RpcRouter(std::vector<const GuardedService*> services, CallThreads* threads);

  grpc::ServerGenericBidiReactor* CreateReactor(grpc::GenericCallbackServerContext* context) override;

 private:
  const std::vector<const GuardedService*> services_;
  CallThreads* const threads_;
};

}  // namespace tune
