// A candidate's cubin and launch sequence, ready to run.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tune/v1/runner.pb.h"
#include "worker/cuda/device_session.h"
#include "worker/cuda/launch_graph.h"
#include "worker/print/launch_sequence.h"

namespace tune {

// Unloaded by the destructor. `session` outlives it.
class LoadedCandidate {
 public:
  // RESOURCE_EXHAUSTED: the device has no memory for it; other errors: not loadable, with the reason in the
  // message. All are the candidate's fault.
  static absl::StatusOr<std::unique_ptr<LoadedCandidate>> Load(const DeviceSession& session,
                                                               const v1::CudaCandidate& candidate);
  ~LoadedCandidate();
  LoadedCandidate(const LoadedCandidate&) = delete;
  LoadedCandidate& operator=(const LoadedCandidate&) = delete;

  // Any may be empty.
  struct Hooks {
    // Called with a kernel's index before and after its launch. CUDA_SUCCESS, or why no more is to be
    // launched.
    std::function<CUresult(int kernel)> before, after;
    // Called first; may change the grid. False: this one is left out.
    std::function<bool(PlannedLaunch* launch)> change;
  };
  struct Enqueued {
    CUresult result = CUDA_SUCCESS;  // the first that was none
    int kernel = -1;                 // that it belongs to
    bool by_hook = false;            // it came from a hook
    bool bad_kernel = false;         // the sequence named a kernel that there is not
  };
  // Puts all launches of one execution of the region on the stream, in order; after the first failure no
  // more. memory and host as LaunchSequenceFunction takes them.
  Enqueued Enqueue(void* const* memory, const void* const* host, const Hooks& hooks);

  // Where timed runs go as a graph: records the launches, unless that was done for this `memory`. An
  // execution went before; the values at `host` must not change afterwards. Without an effect where a launch
  // is refused, or that execution had none, or more than kMostRecordedLaunches: runs are direct then, and
  // tell what is wrong.
  void PrepareGraph(const std::vector<void*>& memory, const std::vector<const void*>& host);
  // As Enqueue without hooks, in one call where that is prepared and the device takes it.
  Enqueued EnqueueAtOnce(const std::vector<void*>& memory, const std::vector<const void*>& host);

  // Address and bytes of a variable of the module. NOT_FOUND.
  absl::StatusOr<std::pair<CUdeviceptr, size_t>> Variable(const std::string& name) const;

  int kernel_count() const { return static_cast<int>(kernels_.size()); }
  const std::string& function(int kernel) const { return kernels_[kernel].spec.function(); }
  // Threads of a block that its registers and launch bounds allow; 0: the driver does not tell.
  int most_threads(int kernel) const;
  bool cooperative(int kernel) const { return kernels_[kernel].spec.cooperative(); }
  // In the last execution.
  int64_t launches(int kernel) const { return kernels_[kernel].launches; }
  int64_t launches() const;

  // Facts of every kernel; block size and what follows from it are those of the first launch in the last
  // execution.
  absl::StatusOr<std::vector<v1::KernelEvaluation>> Facts() const;

 private:
  struct Kernel {
    v1::CudaKernel spec;
    CUfunction function = nullptr;
    int64_t launches = 0;
    int threads = 0;  // of a block, in the first launch
  };
  struct Execution {
    LoadedCandidate* candidate;
    const Hooks* hooks;
    Enqueued enqueued;
  };

  explicit LoadedCandidate(const DeviceSession& session) : session_(session) {}
  absl::Status LoadKernels(const v1::CudaCandidate& candidate);
  absl::Status LoadSequence(const std::string& path);
  static void OnLaunch(void* execution, const PlannedLaunch* launch);
  CUresult LaunchOne(const Kernel& kernel, const PlannedLaunch& launch) const;

  const DeviceSession& session_;
  CUmodule module_ = nullptr;
  void* library_ = nullptr;
  LaunchSequenceFunction* sequence_ = nullptr;
  std::vector<Kernel> kernels_;
  bool as_graph_ = false;                           // timed runs
  std::optional<std::vector<void*>> graph_memory_;  // when launches were last recorded
  std::optional<LaunchGraph> graph_;                // absent: they could not be
};

}  // namespace tune
