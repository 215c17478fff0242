#include "server/service/worker_service.h"

#include "common/base/plain_text.h"
#include "common/rpc/channel.h"
#include "common/rpc/version.h"
#include "server/service/program_stream.h"
#include "server/service/synchronize_call.h"

namespace tune {
namespace {

constexpr size_t kMaxName = 200;
constexpr size_t kMaxDeviceText = 1000;
constexpr int64_t kMaxDeviceBytes = 16 << 10;
constexpr int kMaxDevices = 64;
constexpr size_t kShortestSecret = 32;
constexpr int64_t kMostSynchronizeBytes = kMaxRequestBytes;  // results have code and logs

absl::Status NoName(absl::string_view field) {
  return absl::InvalidArgumentError(
      absl::StrCat(field, ": 1 to ", kMaxName, " bytes of UTF-8 without control characters are needed"));
}

bool IsName(absl::string_view text) { return !text.empty() && text.size() <= kMaxName && IsPlainLine(text); }

// What a device says of itself is shown in lists and kept with every study that is bound to it.
absl::Status CheckDevice(const v1::Device& device) {
  if (device.model().empty() || device.target() == v1::TARGET_UNSPECIFIED) {
    return absl::InvalidArgumentError("devices: each needs a target and a model");
  }
  if (!IsName(device.model())) return NoName("devices.model");
  for (const std::string* text :
       {&device.compiler(), &device.operating_system(), &device.ppcg(), &device.quarantine()}) {
    if (text->size() > kMaxDeviceText || !IsPlainLine(*text)) {
      return absl::InvalidArgumentError(
          absl::StrCat("devices: their texts have at most ", kMaxDeviceText, " bytes of one line each"));
    }
  }
  if (static_cast<int64_t>(device.ByteSizeLong()) > kMaxDeviceBytes) {
    return absl::InvalidArgumentError(absl::StrCat("devices: one has more than ", kMaxDeviceBytes, " bytes"));
  }
  return absl::OkStatus();
}

absl::Status CheckRequest(const v1::SynchronizeRequest& request) {
  if (!IsName(request.worker())) return NoName("worker");
  if (!IsName(request.session())) return NoName("session");
  if (request.secret().size() < kShortestSecret || request.secret().size() > kMaxName) {
    return absl::InvalidArgumentError(
        absl::StrCat("secret: ", kShortestSecret, " to ", kMaxName,
                     " bytes are needed; use the server's version of tune-worker"));
  }
  if (!CompatibleVersion(request.version())) {
    return absl::FailedPreconditionError(absl::StrCat(
        "tune-worker ", EscapeLine(request.version().substr(0, kMaxName)), " does not go with tuned-server ",
        kVersion, ": install the same version on both machines"));
  }
  if (request.devices().empty()) return absl::InvalidArgumentError("devices: at least one is needed");
  if (request.devices_size() > kMaxDevices) {
    return absl::InvalidArgumentError(absl::StrCat("devices: at most ", kMaxDevices, " are taken"));
  }
  for (const v1::Device& device : request.devices()) TUNE_RETURN_IF_ERROR(CheckDevice(device));
  for (const v1::ActiveLease& active : request.active()) {
    if (active.stage().size() > kMaxName || !IsPlainLine(active.stage())) return NoName("active.stage");
  }
  if (request.free_slots() < 0 || request.wait_ms() < 0) {
    return absl::InvalidArgumentError("free_slots and wait_ms must not be negative");
  }
  return absl::OkStatus();
}

}  // namespace

WorkerServiceImpl::WorkerServiceImpl(const Authority* authority, Coordinator* coordinator)
    : GuardedService(authority, v1::SynchronizeRequest::descriptor()->file(), "WorkerService") {
  AddWaiting<v1::SynchronizeRequest>(
      "Synchronize", kMostSynchronizeBytes, [=](const Call& call, auto& request) {
        const absl::Status status = CheckRequest(request);
        if (!status.ok()) return call.wire->End(status);
        absl::StatusOr<Synchronization> begun = coordinator->Synchronize(std::move(request));
        begun.ok() ? AnswerWhenReady(*std::move(begun), call) : call.wire->End(begun.status());
      });
  AddSender<v1::GetStudySetupRequest, v1::FilePart>(
      "GetStudySetup", [=](const Call&, auto& request, const Send<v1::FilePart>& send) -> absl::Status {
        TUNE_ASSIGN_OR_RETURN(const v1::StudySetup setup, coordinator->GetStudySetup(request.study_id()));
        return SendWithProgram(coordinator->store(), request.study_id(), setup,
                               v1::StudySetup::kProgramFieldNumber, send);
      });
}

}  // namespace tune
