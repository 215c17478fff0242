#include "worker/cuda/kept_arrays.h"

#include <algorithm>

namespace tune {
namespace {

constexpr size_t kMostIdle = 7;      // studies; a server has eight under way on a device model
constexpr int64_t kShareOfIdle = 2;  // one half of the device's memory

}  // namespace

KeptArrays::KeptArrays(DeviceSession* session, const UtilityKernels* kernels)
    : session_(session), kernels_(kernels) {
  session_->set_reclaim([this](int64_t bytes) { return FreeIdle(bytes); });
}

KeptArrays::~KeptArrays() { session_->set_reclaim(nullptr); }

absl::StatusOr<std::unique_ptr<KeptArrays::Study>> KeptArrays::Load(const v1::CudaJob& job) const {
  auto study = std::make_unique<Study>();
  study->key = job.arrays_key();
  TUNE_ASSIGN_OR_RETURN(study->arrays, RegionArrays::Load(*session_, job));
  TUNE_ASSIGN_OR_RETURN(study->run, RegionRun::Make(*session_, kernels_, &*study->arrays));
  return study;
}

absl::StatusOr<KeptArrays::Study*> KeptArrays::Use(const v1::CudaJob& job) {
  used_ = false;
  studies_.remove_if([](const std::unique_ptr<Study>& study) { return study->key.empty(); });
  const auto kept = std::find_if(studies_.begin(), studies_.end(), [&](const std::unique_ptr<Study>& study) {
    return study->key == job.arrays_key();
  });
  if (kept != studies_.end()) {
    studies_.splice(studies_.begin(), studies_, kept);
  } else {
    TUNE_ASSIGN_OR_RETURN(std::unique_ptr<Study> study, Load(job));
    studies_.push_front(std::move(study));
  }
  used_ = true;
  KeepToLimits();
  return studies_.front().get();
}

void KeptArrays::KeepToLimits() {
  int64_t idle = 0;
  for (auto study = std::next(studies_.begin()); study != studies_.end(); ++study) {
    idle += (*study)->arrays->bytes();
  }
  while (HasIdle() && (studies_.size() > kMostIdle + 1 || idle > session_->memory_bytes() / kShareOfIdle)) {
    idle -= studies_.back()->arrays->bytes();
    FreeLast();
  }
}

void KeptArrays::ForgetUsed() {
  if (used_) studies_.pop_front();
  used_ = false;
}

bool KeptArrays::FreeIdle(int64_t bytes) {
  bool freed = false;
  while (HasIdle() && session_->FreeBytes().value_or(bytes) < bytes) {
    FreeLast();
    freed = true;
  }
  return freed;
}

bool KeptArrays::FreeIdle() {
  if (!HasIdle()) return false;
  while (HasIdle()) FreeLast();
  return true;
}

}  // namespace tune
