// gRPC adaptor of the workers' protocol.
#pragma once

#include "server/service/guarded_service.h"
#include "server/study/coordinator.h"

namespace tune {

// Nothing is owned. Thread safe. Synchronize answers INVALID_ARGUMENT when the request is malformed,
// FAILED_PRECONDITION when the worker's version does not go with the server's, or another process uses its
// name: it should end and say so.
class WorkerServiceImpl final : public GuardedService {
 public:
  WorkerServiceImpl(const Authority* authority, Coordinator* coordinator);
};

}  // namespace tune
