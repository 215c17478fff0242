// gRPC adaptor of the read-only views.
#pragma once

#include "server/service/guarded_service.h"
#include "server/study/coordinator.h"

namespace tune {

// Nothing is owned. Thread safe.
class StateServiceImpl final : public GuardedService {
 public:
  StateServiceImpl(const Authority* authority, Coordinator* coordinator);
};

}  // namespace tune
