#include "server/service/worker_service.h"

#include "common/rpc/version.h"

namespace tune {
namespace {

constexpr size_t kMaxName = 200;
constexpr size_t kShortestSecret = 32;
constexpr int64_t kMostSynchronizeBytes = kMostMessageBytes * 4;  // results have code and logs

absl::Status CheckRequest(const v1::SynchronizeRequest& request) {
  if (request.worker().empty() || request.worker().size() > kMaxName) {
    return absl::InvalidArgumentError(absl::StrCat("worker: a name of 1 to ", kMaxName, " bytes is needed"));
  }
  if (request.session().empty() || request.session().size() > kMaxName) {
    return absl::InvalidArgumentError(absl::StrCat("session: 1 to ", kMaxName, " bytes are needed"));
  }
  if (request.secret().size() < kShortestSecret || request.secret().size() > kMaxName) {
    return absl::InvalidArgumentError(
        absl::StrCat("secret: ", kShortestSecret, " to ", kMaxName,
                     " bytes are needed; use the server's version of tune-worker"));
  }
  if (!CompatibleVersion(request.version())) {
    return absl::FailedPreconditionError(absl::StrCat("tune-worker ", request.version(),
                                                      " does not go with tuned-server ", kVersion,
                                                      ": install the same version on both machines"));
  }
  if (request.devices().empty()) return absl::InvalidArgumentError("devices: at least one is needed");
  for (const v1::Device& device : request.devices()) {
    if (device.model().empty() || device.target() == v1::TARGET_UNSPECIFIED) {
      return absl::InvalidArgumentError("devices: each needs a target and a model");
    }
  }
  if (request.free_slots() < 0 || request.wait_ms() < 0) {
    return absl::InvalidArgumentError("free_slots and wait_ms must not be negative");
  }
  return absl::OkStatus();
}

}  // namespace

WorkerServiceImpl::WorkerServiceImpl(const Authority* authority, Coordinator* coordinator)
    : GuardedService(authority, v1::SynchronizeRequest::descriptor()->file(), "WorkerService") {
  Add<v1::SynchronizeRequest, v1::SynchronizeResponse>(
      "Synchronize",
      [=](const Call& call, auto& request, auto* response) -> absl::Status {
        TUNE_RETURN_IF_ERROR(CheckRequest(request));
        TUNE_ASSIGN_OR_RETURN(*response,
                              coordinator->Synchronize(request, [&] { return call.context->IsCancelled(); }));
        return absl::OkStatus();
      },
      kMostSynchronizeBytes);
  Add<v1::GetStudySetupRequest, v1::StudySetup>(
      "GetStudySetup", [=](const Call&, auto& request, auto* response) -> absl::Status {
        TUNE_ASSIGN_OR_RETURN(*response, coordinator->GetStudySetup(request.study_id()));
        return absl::OkStatus();
      });
}

}  // namespace tune
