// The way to the server.
#pragma once

#include <memory>

#include "absl/time/time.h"
#include "common/base/status.h"
#include "tune/v1/worker_service.pb.h"

namespace tune {

// Thread safe.
class Transport {
 public:
  virtual ~Transport() = default;
  virtual absl::StatusOr<v1::SynchronizeResponse> Synchronize(const v1::SynchronizeRequest& request,
                                                              absl::Duration limit) = 0;
  virtual absl::StatusOr<v1::StudySetup> GetStudySetup(const std::string& study_id) = 0;
  // Ends one Synchronize call with CANCELLED: the one that is on its way, or else the next one.
  virtual void Interrupt() = 0;
};

}  // namespace tune
