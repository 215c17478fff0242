#include "worker/cuda/loaded_candidate.h"

#include <dlfcn.h>

#include "common/base/file.h"

namespace tune {

absl::StatusOr<std::unique_ptr<LoadedCandidate>> LoadedCandidate::Load(const DeviceSession& session,
                                                                       const v1::CudaCandidate& candidate) {
  std::unique_ptr<LoadedCandidate> loaded(new LoadedCandidate(session));
  TUNE_RETURN_IF_ERROR(loaded->LoadKernels(candidate));
  TUNE_RETURN_IF_ERROR(loaded->LoadSequence(candidate.launch_sequence()));
  loaded->as_graph_ = candidate.graph();
  return loaded;
}

LoadedCandidate::~LoadedCandidate() {
  graph_.reset();  // before its kernels
  if (module_ != nullptr) session_.driver().cuModuleUnload(module_);
  if (library_ != nullptr) dlclose(library_);
}

absl::Status LoadedCandidate::LoadKernels(const v1::CudaCandidate& candidate) {
  const DriverApi& driver = session_.driver();
  TUNE_ASSIGN_OR_RETURN(const std::string cubin, ReadFile(candidate.cubin()));
  TUNE_RETURN_IF_ERROR(session_.Check(driver.cuModuleLoadData(&module_, cubin.data()), "cuModuleLoadData"));
  for (const v1::CudaKernel& spec : candidate.kernels()) {
    Kernel kernel;
    kernel.spec = spec;
    TUNE_RETURN_IF_ERROR(
        session_.Check(driver.cuModuleGetFunction(&kernel.function, module_, spec.function().c_str()),
                       absl::StrCat("kernel ", spec.function())));
    // Needed when it exceeds 48 KiB together with the static variables; harmless else.
    if (spec.dynamic_shared_bytes() > 0) {
      TUNE_RETURN_IF_ERROR(session_.Check(
          driver.cuFuncSetAttribute(kernel.function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                    static_cast<int>(spec.dynamic_shared_bytes())),
          absl::StrCat("kernel ", spec.function(), " with ", spec.dynamic_shared_bytes(),
                       " bytes of dynamic shared memory")));
    }
    if (spec.has_shared_carveout()) {
      TUNE_RETURN_IF_ERROR(session_.Check(
          driver.cuFuncSetAttribute(kernel.function, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT,
                                    spec.shared_carveout()),
          absl::StrCat("kernel ", spec.function(), ", share of shared memory ", spec.shared_carveout(),
                       "%")));
    }
    kernels_.push_back(std::move(kernel));
  }
  return absl::OkStatus();
}

absl::Status LoadedCandidate::LoadSequence(const std::string& path) {
  library_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* symbol = library_ == nullptr ? nullptr : dlsym(library_, "tune_launch_sequence");
  if (symbol == nullptr) {
    const char* reason = dlerror();
    return absl::InvalidArgumentError(absl::StrCat("launch sequence: ", reason != nullptr ? reason : path));
  }
  sequence_ = reinterpret_cast<LaunchSequenceFunction*>(symbol);
  return absl::OkStatus();
}

CUresult LoadedCandidate::LaunchOne(const Kernel& kernel, const PlannedLaunch& launch) const {
  const DriverApi& driver = session_.driver();
  const unsigned shared = static_cast<unsigned>(kernel.spec.dynamic_shared_bytes());
  if (kernel.spec.cooperative()) {
    return driver.cuLaunchCooperativeKernel(kernel.function, launch.grid[0], launch.grid[1], launch.grid[2],
                                            launch.block[0], launch.block[1], launch.block[2], shared,
                                            session_.stream(), launch.arguments);
  }
  return driver.cuLaunchKernel(kernel.function, launch.grid[0], launch.grid[1], launch.grid[2],
                               launch.block[0], launch.block[1], launch.block[2], shared, session_.stream(),
                               launch.arguments, nullptr);
}

void LoadedCandidate::OnLaunch(void* context, const PlannedLaunch* launch) {
  Execution& execution = *static_cast<Execution*>(context);
  Enqueued& enqueued = execution.enqueued;
  std::vector<Kernel>& kernels = execution.candidate->kernels_;
  if (enqueued.result != CUDA_SUCCESS) return;
  const auto fail = [&](CUresult result, bool by_hook) {
    enqueued.result = result;
    enqueued.kernel = launch->kernel;
    enqueued.by_hook = by_hook;
  };
  if (launch->kernel < 0 || launch->kernel >= static_cast<int>(kernels.size())) {
    fail(CUDA_ERROR_INVALID_VALUE, false);
    enqueued.bad_kernel = true;
    return;
  }
  const Hooks& hooks = *execution.hooks;
  Kernel& kernel = kernels[launch->kernel];
  if (kernel.launches++ == 0) kernel.threads = launch->block[0] * launch->block[1] * launch->block[2];
  PlannedLaunch changed = *launch;
  if (hooks.change && !hooks.change(&changed)) return;
  CUresult result = hooks.before ? hooks.before(launch->kernel) : CUDA_SUCCESS;
  if (result != CUDA_SUCCESS) return fail(result, true);
  result = execution.candidate->LaunchOne(kernel, changed);
  if (result != CUDA_SUCCESS) return fail(result, false);
  result = hooks.after ? hooks.after(launch->kernel) : CUDA_SUCCESS;
  if (result != CUDA_SUCCESS) fail(result, true);
}

LoadedCandidate::Enqueued LoadedCandidate::Enqueue(void* const* memory, const void* const* host,
                                                   const Hooks& hooks) {
  for (Kernel& kernel : kernels_) kernel.launches = 0;
  Execution execution{this, &hooks, {}};
  sequence_(memory, host, OnLaunch, &execution);
  return execution.enqueued;
}

void LoadedCandidate::PrepareGraph(const std::vector<void*>& memory, const std::vector<const void*>& host) {
  if (!as_graph_ || graph_memory_ == memory) return;
  graph_.reset();
  graph_memory_ = memory;
  if (launches() == 0 || launches() > kMostRecordedLaunches) return;
  absl::StatusOr<LaunchGraph> graph =
      LaunchGraph::Record(session_, [&] { return Enqueue(memory.data(), host.data(), {}).result; });
  if (graph.ok()) graph_ = *std::move(graph);
}

LoadedCandidate::Enqueued LoadedCandidate::EnqueueAtOnce(const std::vector<void*>& memory,
                                                         const std::vector<const void*>& host) {
  if (!graph_.has_value() || graph_memory_ != memory) return Enqueue(memory.data(), host.data(), {});
  if (graph_->Launch() == CUDA_SUCCESS) return {};
  // Refused, or the device is lost: the launches themselves tell.
  graph_.reset();
  return Enqueue(memory.data(), host.data(), {});
}

absl::StatusOr<std::pair<CUdeviceptr, size_t>> LoadedCandidate::Variable(const std::string& name) const {
  CUdeviceptr address = 0;
  size_t bytes = 0;
  CUresult result = CUDA_SUCCESS;
  // As it stands there, or as one that is static.
  for (const std::string& symbol : {name, absl::StrCat("_ZL", name.size(), name)}) {
    result = session_.driver().cuModuleGetGlobal(&address, &bytes, module_, symbol.c_str());
    if (result == CUDA_SUCCESS) return std::make_pair(address, bytes);
  }
  return absl::NotFoundError(absl::StrCat("the source has no __constant__ or __device__ variable ", name,
                                          " that a kernel uses: ", session_.driver().Describe(result)));
}

int LoadedCandidate::most_threads(int kernel) const {
  int threads = 0;
  const CUresult result = session_.driver().cuFuncGetAttribute(
      &threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernels_[kernel].function);
  return result == CUDA_SUCCESS ? threads : 0;
}

int64_t LoadedCandidate::launches() const {
  int64_t sum = 0;
  for (const Kernel& kernel : kernels_) sum += kernel.launches;
  return sum;
}

absl::StatusOr<std::vector<v1::KernelEvaluation>> LoadedCandidate::Facts() const {
  const DriverApi& driver = session_.driver();
  std::vector<v1::KernelEvaluation> all;
  for (const Kernel& kernel : kernels_) {
    absl::Status status;
    const auto attribute = [&](CUfunction_attribute which) {
      int value = 0;
      const CUresult result = driver.cuFuncGetAttribute(&value, which, kernel.function);
      if (status.ok()) status = session_.Check(result, "cuFuncGetAttribute");
      return value;
    };
    const size_t dynamic_shared = static_cast<size_t>(kernel.spec.dynamic_shared_bytes());
    v1::KernelEvaluation facts;
    facts.set_function(kernel.spec.function());
    facts.set_launches(kernel.launches);
    facts.set_threads_per_block(kernel.threads);
    facts.set_registers(attribute(CU_FUNC_ATTRIBUTE_NUM_REGS));
    facts.set_shared_bytes(attribute(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES) +
                           kernel.spec.dynamic_shared_bytes());
    facts.set_local_bytes(attribute(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES));
    TUNE_RETURN_IF_ERROR(status);
    int blocks = 0;
    // A block size that the device does not have fits zero times.
    if (kernel.threads > 0 && driver.cuOccupancyMaxActiveBlocksPerMultiprocessor(
                                  &blocks, kernel.function, kernel.threads, dynamic_shared) == CUDA_SUCCESS) {
      facts.set_blocks_per_multiprocessor(blocks);
    }
    all.push_back(std::move(facts));
  }
  return all;
}

}  // namespace tune
