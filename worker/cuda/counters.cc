#include "worker/cuda/counters.h"

#include <algorithm>
#include <cstdlib>

#include "worker/cuda/metrics.h"

namespace tune {
namespace {

constexpr int64_t kMostRangesOfKernel = 4;
constexpr int kMostPasses = 32;

// Which launches of a kernel are looked at: the middles of equal parts.
std::vector<int64_t> ChosenLaunches(int64_t launches, int64_t count) {
  std::vector<int64_t> chosen;
  count = std::min(count, launches);
  for (int64_t i = 0; i < count; ++i) chosen.push_back((2 * i + 1) * launches / (2 * count));
  return chosen;
}

// One pass: pushes and pops ranges around the chosen launches of an execution.
class Pass {
 public:
  Pass(RangeProfiler* profiler, const std::vector<std::vector<int64_t>>& chosen)
      : profiler_(profiler), chosen_(chosen), launches_(chosen.size(), 0) {}

  LoadedCandidate::Hooks Hooks() {
    return {[this](int kernel) { return Before(kernel); }, [this](int kernel) { return After(kernel); }, {}};
  }
  const absl::Status& status() const { return status_; }

 private:
  // Ranges that cannot be made do not stop the launches.
  CUresult Before(int kernel) {
    const std::vector<int64_t>& chosen = chosen_[kernel];
    inside_ = std::find(chosen.begin(), chosen.end(), launches_[kernel]++) != chosen.end();
    if (inside_ && status_.ok()) {
      status_ = profiler_->Push(absl::StrCat(kernel, ":", launches_[kernel]));
    }
    return CUDA_SUCCESS;
  }
  CUresult After(int) {
    if (inside_ && status_.ok()) status_ = profiler_->Pop();
    return CUDA_SUCCESS;
  }

  RangeProfiler* const profiler_;
  const std::vector<std::vector<int64_t>>& chosen_;
  std::vector<int64_t> launches_;
  bool inside_ = false;
  absl::Status status_;
};

std::vector<std::vector<CounterValues>> ByKernel(const std::vector<RangeProfiler::Range>& ranges,
                                                 int kernels) {
  std::vector<std::vector<CounterValues>> values(kernels);
  for (const RangeProfiler::Range& range : ranges) {
    const int kernel = std::atoi(range.name.c_str());
    if (kernel < 0 || kernel >= kernels) continue;
    values[kernel].push_back(range.values);
  }
  return values;
}

// Why there are none and what to do, in one line.
std::string Remedy(const absl::Status& status) {
  if (absl::IsPermissionDenied(status)) {
    return absl::StrCat("no permission to read the device's counters (", status.message(),
                        "): run tune-worker as root or with CAP_SYS_ADMIN, or load the driver with "
                        "NVreg_RestrictProfilingToAdminUsers=0; tuning goes on with times alone");
  }
  return absl::StrCat("the device's counters cannot be read (", status.message(),
                      "); tuning goes on with times alone");
}

// For each kernel of the last execution, the launches to look at.
std::vector<std::vector<int64_t>> ChooseLaunches(const LoadedCandidate& candidate) {
  const int64_t of_kernel =
      std::clamp<int64_t>(RangeProfiler::kMostRanges / candidate.kernel_count(), 1, kMostRangesOfKernel);
  std::vector<std::vector<int64_t>> chosen;
  for (int i = 0; i < candidate.kernel_count(); ++i) {
    chosen.push_back(ChosenLaunches(candidate.launches(i), of_kernel));
  }
  return chosen;
}

}  // namespace

absl::StatusOr<RegionRunEnd> Counters::Measure(LoadedCandidate& candidate, const CandidateMemory& memory,
                                               RegionRun& run, double median_seconds,
                                               std::vector<v1::KernelEvaluation>* kernels,
                                               std::string* note) {
  if (refused_ || median_seconds > kLongestSeconds || candidate.launches() == 0 ||
      candidate.kernel_count() > RangeProfiler::kMostRanges) {
    return RegionRunEnd{};
  }
  absl::Status refusal;
  TUNE_ASSIGN_OR_RETURN(const RegionRunEnd end,
                        Collect(candidate, memory, run, ChooseLaunches(candidate), &refusal));
  if (end.kind != RegionRunEnd::Kind::kDone) return end;
  absl::StatusOr<std::vector<RangeProfiler::Range>> values = std::vector<RangeProfiler::Range>();
  if (refusal.ok()) {
    values = profiler_->Values();
    profiler_->End().IgnoreError();
  } else {
    values = refusal;
  }
  if (!values.ok()) {
    refused_ = true;
    profiler_.reset();
    *note = Remedy(values.status());
    return end;
  }
  const DevicePeaks peaks = {.memory_bandwidth = session_->memory_bandwidth(), .clock = session_->clock()};
  const auto by_kernel = ByKernel(*values, candidate.kernel_count());
  for (int i = 0; i < candidate.kernel_count(); ++i) {
    v1::KernelEvaluation& kernel = (*kernels)[i];
    const double seconds =
        kernel.launches() > 0 ? kernel.seconds() / static_cast<double>(kernel.launches()) : 0;
    for (const v1::Metric& metric : MakeMetrics(by_kernel[i], peaks, seconds)) *kernel.add_metrics() = metric;
  }
  return end;
}

// Leaves a session open that holds the values, unless *refusal or the end says otherwise.
absl::StatusOr<RegionRunEnd> Counters::Collect(LoadedCandidate& candidate, const CandidateMemory& memory,
                                               RegionRun& run,
                                               const std::vector<std::vector<int64_t>>& chosen,
                                               absl::Status* refusal) {
  RegionRunEnd end;
  if (profiler_ == nullptr) {
    absl::StatusOr<std::unique_ptr<RangeProfiler>> made = RangeProfiler::Make(*session_, CounterNames());
    *refusal = made.status();
    if (!made.ok()) return end;
    profiler_ = *std::move(made);
  }
  *refusal = profiler_->Begin();
  bool done = false;
  for (int count = 0; refusal->ok() && !done; ++count) {
    if (count == kMostPasses)
      *refusal = absl::UnimplementedError(absl::StrCat("more than ", count, " passes"));
    if (refusal->ok()) *refusal = profiler_->Start();
    if (!refusal->ok()) break;
    Pass pass(profiler_.get(), chosen);
    TUNE_ASSIGN_OR_RETURN(end, run.Timed(candidate, memory, pass.Hooks()));
    if (end.kind != RegionRunEnd::Kind::kDone) break;
    const absl::Status stopped = profiler_->Stop(&done);
    *refusal = pass.status().ok() ? stopped : pass.status();
  }
  return end;
}

}  // namespace tune
