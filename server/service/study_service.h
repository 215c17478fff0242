// gRPC adaptors over the coordinator: whose study it is, argument check, nothing else.
#pragma once

#include "server/service/guarded_service.h"
#include "server/service/spool.h"
#include "server/study/coordinator.h"

namespace tune {

// Nothing is owned. Thread safe.
class StudyServiceImpl final : public GuardedService {
 public:
  StudyServiceImpl(const Authority* authority, Coordinator* coordinator);

 private:
  absl::Status Submit(const Call& call, const Receive<v1::FilePart>& receive, v1::SubmitResponse* response);
  absl::Status SubmitSpooled(const Call& call, const Spool& spool, v1::SubmitResponse* response);
  absl::Status Cancel(const Call& call, const v1::CancelRequest& request, v1::CancelResponse* response);
  absl::Status Replay(const Call& call, const v1::ReplayRequest& request, v1::ReplayResponse* response);
  // Whether the caller may change the study.
  absl::Status CheckChange(const Call& call, const std::string& study_id) const;

  Coordinator* const coordinator_;
  absl::Mutex large_;  // one large message at a time is in memory
};

}  // namespace tune
