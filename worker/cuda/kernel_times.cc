#include "worker/cuda/kernel_times.h"

#include <cstdlib>
#include <map>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"

namespace tune {
namespace {

constexpr size_t kBufferBytes = 8 << 20, kBufferAlignment = 8;
constexpr int kEventsOfBatch = 256;

struct NamedTime {
  int64_t launches = 0;
  double seconds = 0;
};

// CUPTI calls back without an argument of ours, from threads of its own.
struct Records {
  const CuptiApi* cupti = nullptr;  // set once, before any callback
  absl::Mutex mutex;
  std::map<std::string, NamedTime> times ABSL_GUARDED_BY(mutex);
};

Records& TheRecords() {
  static Records* const records = new Records;
  return *records;
}

void CUPTIAPI OnBufferRequested(uint8_t** buffer, size_t* size, size_t* record_limit) {
  *buffer = static_cast<uint8_t*>(std::aligned_alloc(kBufferAlignment, kBufferBytes));
  *size = *buffer == nullptr ? 0 : kBufferBytes;
  *record_limit = 0;  // as many as fit
}

void CUPTIAPI OnBufferCompleted(CUcontext, uint32_t, uint8_t* buffer, size_t, size_t valid_size) {
  Records& records = TheRecords();
  absl::MutexLock lock(&records.mutex);
  CUpti_Activity* record = nullptr;
  while (valid_size > 0 &&
         records.cupti->cuptiActivityGetNextRecord(buffer, valid_size, &record) == CUPTI_SUCCESS) {
    if (record->kind != CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL && record->kind != CUPTI_ACTIVITY_KIND_KERNEL)
      continue;
    // Newer records of kernels begin with the fields of this one.
    const auto* kernel = reinterpret_cast<const CUpti_ActivityKernel9*>(record);
    if (kernel->name == nullptr || kernel->end <= kernel->start) continue;
    NamedTime& time = records.times[kernel->name];
    ++time.launches;
    time.seconds += 1e-9 * static_cast<double>(kernel->end - kernel->start);
  }
  std::free(buffer);
}

absl::Status Attach(const CuptiApi& cupti) {
  TheRecords().cupti = &cupti;
  TUNE_RETURN_IF_ERROR(cupti.Check(cupti.cuptiActivityRegisterCallbacks(OnBufferRequested, OnBufferCompleted),
                                   "cuptiActivityRegisterCallbacks"));
  TUNE_RETURN_IF_ERROR(
      cupti.Check(cupti.cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL), "cuptiActivityEnable"));
  return cupti.Check(cupti.cuptiActivityDisable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL),
                     "cuptiActivityDisable");
}

}  // namespace

KernelTimer KernelTimer::Make(const DeviceSession& session, std::string* note) {
  const absl::StatusOr<const CuptiApi*> cupti = CuptiApi::Get();
  const absl::Status status = cupti.ok() ? Attach(**cupti) : cupti.status();
  if (status.ok()) return KernelTimer(session, *cupti);
  *note = absl::StrCat("kernels are timed with events, a little too long: ", status.message());
  return KernelTimer(session, nullptr);
}

absl::StatusOr<RegionRunEnd> KernelTimer::Measure(LoadedCandidate& candidate, const CandidateMemory& memory,
                                                  RegionRun& run, double median_seconds,
                                                  std::vector<v1::KernelEvaluation>* kernels) const {
  if (candidate.launches() > kMostLaunches) {
    if (kernels->size() == 1) kernels->front().set_seconds(median_seconds);
    return RegionRunEnd{};
  }
  if (cupti_ != nullptr) {
    bool complete = false;
    TUNE_ASSIGN_OR_RETURN(const RegionRunEnd end,
                          MeasureByRecords(candidate, memory, run, kernels, &complete));
    if (complete || end.kind != RegionRunEnd::Kind::kDone) return end;
  }
  return MeasureByEvents(candidate, memory, run, kernels);
}

absl::StatusOr<RegionRunEnd> KernelTimer::MeasureByRecords(LoadedCandidate& candidate,
                                                           const CandidateMemory& memory, RegionRun& run,
                                                           std::vector<v1::KernelEvaluation>* kernels,
                                                           bool* complete) const {
  Records& records = TheRecords();
  {
    absl::MutexLock lock(&records.mutex);
    records.times.clear();
  }
  if (cupti_->cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) != CUPTI_SUCCESS)
    return RegionRunEnd{};
  const absl::StatusOr<RegionRunEnd> end = run.Timed(candidate, memory);
  // After a fault, or while a kernel still runs, there is nobody to wait for.
  if (!end.ok() || end->kind != RegionRunEnd::Kind::kDone) return end;
  cupti_->cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  cupti_->cuptiActivityDisable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);

  absl::MutexLock lock(&records.mutex);
  *complete = true;
  for (int i = 0; i < candidate.kernel_count(); ++i) {
    const NamedTime& time = records.times[candidate.function(i)];
    if (time.launches != candidate.launches(i)) *complete = false;
    (*kernels)[i].set_seconds(time.seconds);
  }
  return end;
}

absl::StatusOr<RegionRunEnd> KernelTimer::MeasureByEvents(LoadedCandidate& candidate,
                                                          const CandidateMemory& memory, RegionRun& run,
                                                          std::vector<v1::KernelEvaluation>* kernels) const {
  std::vector<DeviceEvent> events;
  for (int i = 0; i <= kEventsOfBatch; ++i) {
    TUNE_ASSIGN_OR_RETURN(DeviceEvent event, DeviceEvent::Make(*session_));
    events.push_back(std::move(event));
  }
  std::vector<double> seconds(candidate.kernel_count(), 0);
  std::vector<int> batch;  // kernels whose launches lie between the events
  // Event i and event i + 1 enclose the launch of batch[i].
  const auto count_batch = [&](double deadline) -> CUresult {
    const CUresult passed = events[batch.size()].WaitUntil(deadline);
    for (size_t i = 0; passed == CUDA_SUCCESS && i < batch.size(); ++i) {
      const absl::StatusOr<double> time = events[i + 1].SecondsSince(events[i]);
      if (!time.ok()) return CUDA_ERROR_UNKNOWN;
      seconds[batch[i]] += *time;
    }
    batch.clear();
    return passed;
  };
  const double deadline = MonotonicSeconds() + run.limit_seconds();
  LoadedCandidate::Hooks hooks;
  hooks.before = [&](int) { return batch.empty() ? events[0].Record() : CUDA_SUCCESS; };
  hooks.after = [&](int kernel) -> CUresult {
    batch.push_back(kernel);
    const CUresult recorded = events[batch.size()].Record();
    if (recorded != CUDA_SUCCESS || batch.size() < kEventsOfBatch) return recorded;
    return count_batch(deadline);
  };
  TUNE_ASSIGN_OR_RETURN(const RegionRunEnd end, run.Timed(candidate, memory, hooks));
  if (end.kind != RegionRunEnd::Kind::kDone) return end;
  if (!batch.empty()) {
    TUNE_RETURN_IF_ERROR(session_->Check(count_batch(deadline), "events between launches"));
  }
  for (size_t i = 0; i < seconds.size(); ++i) (*kernels)[i].set_seconds(seconds[i]);
  return end;
}

}  // namespace tune
