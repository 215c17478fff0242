#include "worker/cuda/region_run.h"

#include "absl/strings/str_format.h"

namespace tune {
namespace {

// Time for the host to enqueue the begin of a run.
constexpr double kEnqueueSeconds = 25e-6;
constexpr size_t kScratchBytes = 1 << 20;

// In the first run the host looks after so many launches whether the device comes along: the driver's queue
// holds about a thousand launches, and a host that waits for room in it could not see the limit pass.
constexpr int kLaunchesBetweenLooks = 256;

// A launch that ends so was not made, and nothing else is wrong. Any other error means that the context is
// lost.
bool IsRefusal(CUresult result) {
  switch (result) {
    case CUDA_ERROR_INVALID_VALUE:
    case CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES:
    case CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE:
    case CUDA_ERROR_NOT_SUPPORTED:
    case CUDA_ERROR_NO_BINARY_FOR_GPU:
    case CUDA_ERROR_INVALID_IMAGE:
      return true;
    default:
      return false;
  }
}

// No kernel does this: the device is broken, or has gone.
bool IsDeviceTrouble(CUresult result) {
  switch (result) {
    case CUDA_ERROR_DEVICE_UNAVAILABLE:
    case CUDA_ERROR_NO_DEVICE:
    case CUDA_ERROR_INVALID_DEVICE:
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_NVLINK_UNCORRECTABLE:
    case CUDA_ERROR_SYSTEM_NOT_READY:
      return true;
    default:
      return false;
  }
}

}  // namespace

RegionRun::RegionRun(const DeviceSession& session, const UtilityKernels* kernels, RegionArrays* arrays,
                     DeviceEvent begin, DeviceEvent end, DeviceEvent middle)
    : session_(&session),
      kernels_(kernels),
      arrays_(arrays),
      begin_(std::move(begin)),
      end_(std::move(end)),
      middle_(std::move(middle)) {}

absl::StatusOr<RegionRun> RegionRun::Make(const DeviceSession& session, const UtilityKernels* kernels,
                                          RegionArrays* arrays) {
  TUNE_ASSIGN_OR_RETURN(DeviceEvent begin, DeviceEvent::Make(session));
  TUNE_ASSIGN_OR_RETURN(DeviceEvent end, DeviceEvent::Make(session));
  TUNE_ASSIGN_OR_RETURN(DeviceEvent middle, DeviceEvent::Make(session));
  RegionRun run(session, kernels, arrays, std::move(begin), std::move(end), std::move(middle));
  if (kernels == nullptr) {
    TUNE_ASSIGN_OR_RETURN(run.scratch_, DeviceMemory::Make(session, kScratchBytes));
  }
  return run;
}

absl::Status RegionRun::KeepBusy(int64_t restored_bytes) {
  if (kernels_ != nullptr) return kernels_->Wait(kEnqueueSeconds);
  if (restored_bytes > 0) return absl::OkStatus();
  // Without kernels of our own and with nothing restored: a little memory that nobody uses.
  return scratch_->Fill(0);
}

absl::StatusOr<RegionRunEnd> RegionRun::First(LoadedCandidate& candidate, CandidateMemory& memory) {
  TUNE_RETURN_IF_ERROR(arrays_->RestoreAll().status());
  TUNE_RETURN_IF_ERROR(memory.copies->Give());
  for (DeviceMemory& own : memory.own) TUNE_RETURN_IF_ERROR(own.Fill(0xFF));
  const double deadline = MonotonicSeconds() + limit_seconds_;
  int64_t launches = 0;
  LoadedCandidate::Hooks hooks;
  hooks.after = [&](int) -> CUresult {
    if (++launches % kLaunchesBetweenLooks != 0) return CUDA_SUCCESS;
    const CUresult result = middle_.Record();
    return result != CUDA_SUCCESS ? result : middle_.WaitUntil(deadline);
  };
  return Execute(candidate,
                 [&] { return candidate.Enqueue(memory.memory.data(), memory.host.data(), hooks); });
}

absl::StatusOr<RegionRunEnd> RegionRun::Timed(LoadedCandidate& candidate, const CandidateMemory& memory,
                                              const LoadedCandidate::Hooks& hooks) {
  const bool hooked = hooks.before || hooks.after || hooks.change;
  if (!hooked) candidate.PrepareGraph(memory.memory, memory.host);
  TUNE_RETURN_IF_ERROR(Restore(memory));
  return Execute(candidate, [&] {
    return hooked ? candidate.Enqueue(memory.memory.data(), memory.host.data(), hooks)
                  : candidate.EnqueueAtOnce(memory.memory, memory.host);
  });
}

absl::Status RegionRun::Restore(const CandidateMemory& memory) {
  TUNE_ASSIGN_OR_RETURN(const int64_t restored, arrays_->RestoreWritten());
  TUNE_RETURN_IF_ERROR(memory.copies->Give());
  return KeepBusy(restored);
}

absl::StatusOr<RegionRunEnd> RegionRun::RestoreAlone(LoadedCandidate& candidate,
                                                     const CandidateMemory& memory) {
  TUNE_RETURN_IF_ERROR(Restore(memory));
  return Execute(candidate, [] { return LoadedCandidate::Enqueued(); });
}

absl::StatusOr<RegionRunEnd> RegionRun::OnPresent(LoadedCandidate& candidate, const CandidateMemory& memory) {
  TUNE_RETURN_IF_ERROR(memory.copies->Give());
  return Execute(candidate, [&] { return candidate.Enqueue(memory.memory.data(), memory.host.data(), {}); });
}

absl::StatusOr<RegionRunEnd> RegionRun::Execute(const LoadedCandidate& candidate,
                                                const std::function<LoadedCandidate::Enqueued()>& enqueue) {
  TUNE_RETURN_IF_ERROR(session_->Check(begin_.Record(), "cuEventRecord"));
  const double deadline = MonotonicSeconds() + limit_seconds_;
  const LoadedCandidate::Enqueued enqueued = enqueue();
  CUresult end = end_.Record();
  if (end == CUDA_SUCCESS) end = end_.WaitUntil(deadline);
  for (const CUresult result : {end, enqueued.result}) {
    if (IsDeviceTrouble(result)) return session_->Check(result, "the device failed under the candidate");
  }
  RegionRunEnd judged = Judge(candidate, enqueued, end);
  if (judged.kind == RegionRunEnd::Kind::kDone) {
    TUNE_ASSIGN_OR_RETURN(judged.seconds, end_.SecondsSince(begin_));
  }
  return judged;
}

RegionRunEnd RegionRun::Judge(const LoadedCandidate& candidate, const LoadedCandidate::Enqueued& enqueued,
                              CUresult end) const {
  const DriverApi& driver = session_->driver();
  RegionRunEnd judged;
  if (end == CUDA_ERROR_NOT_READY || enqueued.result == CUDA_ERROR_NOT_READY) {
    judged.kind = RegionRunEnd::Kind::kTimeout;
    judged.message = absl::StrFormat("the region ran longer than %g s", limit_seconds_);
    return judged;
  }
  if (enqueued.bad_kernel) {
    judged.kind = RegionRunEnd::Kind::kRefused;
    judged.message = absl::StrCat("the launch sequence names kernel ", enqueued.kernel, ", there are ",
                                  candidate.kernel_count());
    return judged;
  }
  const bool launch_failed = enqueued.result != CUDA_SUCCESS;
  const std::string kernel = launch_failed ? candidate.function(enqueued.kernel) : "";
  if (end == CUDA_SUCCESS && launch_failed && enqueued.result == CUDA_ERROR_OUT_OF_MEMORY) {
    judged.kind = RegionRunEnd::Kind::kOutOfMemory;
    judged.message = absl::StrCat("launch of ", kernel, ": ", driver.Describe(enqueued.result));
  } else if (end == CUDA_SUCCESS && launch_failed && IsRefusal(enqueued.result)) {
    judged.kind = RegionRunEnd::Kind::kRefused;
    const int threads = candidate.most_threads(enqueued.kernel);
    judged.message =
        absl::StrCat("launch of ", kernel, " refused: ", driver.Describe(enqueued.result),
                     threads > 0 ? absl::StrCat("; a block of it has at most ", threads, " threads") : "");
  } else if (end != CUDA_SUCCESS || launch_failed) {
    judged.kind = RegionRunEnd::Kind::kFault;
    judged.message =
        absl::StrCat("a kernel failed: ", driver.Describe(end != CUDA_SUCCESS ? end : enqueued.result),
                     "; compute-sanitizer on the tuned file shows where");
  }
  return judged;
}

}  // namespace tune
