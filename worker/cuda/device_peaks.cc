#include "worker/cuda/device_peaks.h"

#include <algorithm>
#include <functional>

#include "worker/cuda/cubin_compiler.h"
#include "worker/cuda/device_memory.h"
#include "worker/cuda/device_query.h"
#include "worker/cuda/device_timer.h"

namespace tune {
namespace {

constexpr int kThreads = 256, kBlocksPerMultiprocessor = 8;
constexpr int kChains = 8, kOperations = 2;  // of a thread and of a fused multiply-add
constexpr int kRuns = 8;
constexpr double kShortest = 2e-3;              // seconds of a run that is measured
constexpr double kLongest = 10;                 // seconds until a kernel counts as hanging
constexpr size_t kMostBytes = size_t{1} << 30;  // of an array

constexpr char kText[] = R"(
typedef unsigned long long u64;

// Eight chains a thread, so that none waits for itself; `sink` is written in no case that occurs.
template <typename T> __device__ void chains(T factor, T term, int turns, T *sink) {
  T x[8];
#pragma unroll
  for (int c = 0; c < 8; ++c) x[c] = (T)(threadIdx.x + c);
#pragma unroll 8
  for (int turn = 0; turn < turns; ++turn) {
#pragma unroll
    for (int c = 0; c < 8; ++c) x[c] = x[c] * factor + term;
  }
  T sum = 0;
#pragma unroll
  for (int c = 0; c < 8; ++c) sum += x[c];
  if (sum == (T)-1) *sink = sum;
}

extern "C" __global__ void __launch_bounds__(256) tune_peak_float(float factor, float term, int turns, float *sink) {
  chains(factor, term, turns, sink);
}

extern "C" __global__ void __launch_bounds__(256) tune_peak_double(double factor, double term, int turns,
                                                                   double *sink) {
  chains(factor, term, turns, sink);
}

// Past the first-level cache, which keeps nothing from launch to launch.
__device__ uint4 fetch(const uint4 *from) {
  uint4 value;
  asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w) : "l"(from));
  return value;
}

// `mask` + 1 vectors, a power of two, are gone through until there were `total`.
extern "C" __global__ void __launch_bounds__(256) tune_peak_copy(const uint4 *from, uint4 *to, u64 mask, u64 total) {
#pragma unroll 4
  for (u64 i = blockIdx.x * 256ull + threadIdx.x; i < total; i += gridDim.x * 256ull) to[i & mask] = fetch(from + (i & mask));
}

extern "C" __global__ void __launch_bounds__(256) tune_peak_read(const uint4 *from, uint4 *to, u64 mask, u64 total) {
  unsigned bits = 0;
#pragma unroll 4
  for (u64 i = blockIdx.x * 256ull + threadIdx.x; i < total; i += gridDim.x * 256ull) {
    const uint4 value = fetch(from + (i & mask));
    bits |= value.x | value.y | value.z | value.w;
  }
  if (bits != 0) to[0].x = bits;
}
)";

size_t PowerOfTwoBelow(size_t bytes) {
  size_t power = 1;
  while (2 * power <= bytes) power *= 2;
  return power;
}

class PeakMeter {
 public:
  PeakMeter(const DeviceSession& session, CUmodule module, DeviceEvent begin, DeviceEvent end)
      : session_(session), module_(module), begin_(std::move(begin)), end_(std::move(end)) {}

  template <typename T>
  absl::StatusOr<double> Operations(const std::string& kernel) {
    TUNE_ASSIGN_OR_RETURN(const DeviceMemory memory, DeviceMemory::Make(session_, sizeof(T)));
    T factor = T(0.999), term = T(0.5);  // to a limit that is a normal number
    CUdeviceptr sink = memory.address();
    const double threads = double(session_.multiprocessors()) * kBlocksPerMultiprocessor * kThreads;
    return Best(1024, [&](int64_t amount) -> absl::StatusOr<double> {
      int turns = static_cast<int>(amount);
      void* arguments[] = {&factor, &term, &turns, &sink};
      TUNE_ASSIGN_OR_RETURN(const double seconds, Time(kernel, arguments));
      return seconds / (threads * kChains * kOperations);
    });
  }

  // Of copying or reading arrays of at most `bytes` each, read and written together.
  absl::StatusOr<double> Bytes(size_t bytes) {
    const size_t size = PowerOfTwoBelow(bytes);
    TUNE_ASSIGN_OR_RETURN(DeviceMemory from, DeviceMemory::Make(session_, size));
    TUNE_ASSIGN_OR_RETURN(DeviceMemory to, DeviceMemory::Make(session_, size));
    TUNE_RETURN_IF_ERROR(from.Fill(0));
    TUNE_RETURN_IF_ERROR(to.Fill(0));
    double best = 0;
    for (const bool copies : {true, false}) {
      const int64_t vectors = static_cast<int64_t>(size / 16);
      TUNE_ASSIGN_OR_RETURN(const double rate, Best(vectors, [&](int64_t amount) -> absl::StatusOr<double> {
                              CUdeviceptr source = from.address(), target = to.address();
                              unsigned long long mask = vectors - 1, total = amount;
                              void* arguments[] = {&source, &target, &mask, &total};
                              TUNE_ASSIGN_OR_RETURN(
                                  const double seconds,
                                  Time(copies ? "tune_peak_copy" : "tune_peak_read", arguments));
                              return seconds / (copies ? 32 : 16);
                            }));
      best = std::max(best, rate);
    }
    return best;
  }

 private:
  using Run = std::function<absl::StatusOr<double>(int64_t amount)>;

  // `run` returns its seconds over what it does for each of `amount`. The best rate, of runs long enough.
  absl::StatusOr<double> Best(int64_t amount, const Run& run) {
    TUNE_ASSIGN_OR_RETURN(double ignored, run(amount));  // pages, instructions
    while (last_seconds_ < kShortest && amount < int64_t{1} << 29) {
      amount *= 2;
      TUNE_ASSIGN_OR_RETURN(ignored, run(amount));
    }
    double best = ignored;
    for (int i = 0; i < kRuns; ++i) {
      TUNE_ASSIGN_OR_RETURN(const double share, run(amount));
      best = std::min(best, share);
    }
    if (!(best > 0)) return absl::InternalError("the device's clock stands still");
    return amount / best;
  }

  absl::StatusOr<double> Time(const std::string& kernel, void** arguments) {
    CUfunction function = nullptr;
    TUNE_RETURN_IF_ERROR(
        session_.Check(session_.driver().cuModuleGetFunction(&function, module_, kernel.c_str()), kernel));
    TUNE_RETURN_IF_ERROR(session_.Check(begin_.Record(), "cuEventRecord"));
    TUNE_RETURN_IF_ERROR(session_.Check(
        session_.driver().cuLaunchKernel(function, session_.multiprocessors() * kBlocksPerMultiprocessor, 1,
                                         1, kThreads, 1, 1, 0, session_.stream(), arguments, nullptr),
        kernel));
    TUNE_RETURN_IF_ERROR(session_.Check(end_.Record(), "cuEventRecord"));
    TUNE_RETURN_IF_ERROR(session_.Check(end_.WaitUntil(MonotonicSeconds() + kLongest), kernel));
    TUNE_ASSIGN_OR_RETURN(last_seconds_, end_.SecondsSince(begin_));
    return last_seconds_;
  }

  const DeviceSession& session_;
  const CUmodule module_;
  DeviceEvent begin_, end_;
  double last_seconds_ = 0;
};

int64_t CacheBytes(const DeviceSession& session) {
  const v1::CudaDevices devices = QueryDevices();
  return session.ordinal() < devices.devices_size() ? devices.devices(session.ordinal()).cuda().l2_bytes()
                                                    : 0;
}

}  // namespace

std::string PeakKernelsText() { return kText; }

absl::StatusOr<v1::PeakRates> MeasureDevicePeaks(const DeviceSession& session) {
  TUNE_ASSIGN_OR_RETURN(const CubinResult compiled,
                        CompileCubin(PeakKernelsText(), "peak_kernels.cu", session.architecture()));
  if (!compiled.ok) return absl::InternalError(absl::StrCat("NVRTC refuses the kernels: ", compiled.log));
  CUmodule module = nullptr;  // stays loaded
  TUNE_RETURN_IF_ERROR(
      session.Check(session.driver().cuModuleLoadData(&module, compiled.cubin.data()), "cuModuleLoadData"));
  TUNE_ASSIGN_OR_RETURN(DeviceEvent begin, DeviceEvent::Make(session));
  TUNE_ASSIGN_OR_RETURN(DeviceEvent end, DeviceEvent::Make(session));
  PeakMeter meter(session, module, std::move(begin), std::move(end));

  v1::PeakRates peaks;
  TUNE_ASSIGN_OR_RETURN(const double in_float, meter.Operations<float>("tune_peak_float"));
  TUNE_ASSIGN_OR_RETURN(const double in_double, meter.Operations<double>("tune_peak_double"));
  peaks.set_float_operations(in_float);
  peaks.set_double_operations(in_double);
  const auto cache = static_cast<size_t>(CacheBytes(session));
  TUNE_ASSIGN_OR_RETURN(const int64_t available, session.FreeBytes());
  const size_t room = std::min(kMostBytes, static_cast<size_t>(available) / 4);
  if (room >= 2 * cache) {
    TUNE_ASSIGN_OR_RETURN(const double memory, meter.Bytes(room));
    peaks.set_memory_bytes(memory);
  }
  if (cache > 0) {
    // Both arrays together in half of it.
    TUNE_ASSIGN_OR_RETURN(const double cached, meter.Bytes(cache / 4));
    peaks.set_cache_bytes(cached);
    peaks.set_cache_size(static_cast<int64_t>(cache));
  }
  return peaks;
}

}  // namespace tune
