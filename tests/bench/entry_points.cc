// What a call of a tuned region costs by each of its entry points: gemm and jacobi-1d, as
// tests/bench/entry_points.sh generates them. On a device: microseconds a call over 1000 calls, beside the
// kernels' own time (one graph of 100 calls). With CUDA's simulated runtime (-DSIMULATED): calls of the
// runtime over 10 calls are counted by what runs it.
#include <cuda_runtime_api.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "gemm.h"
#include "smooth.h"

extern "C" int tune_region_gemm(void *const *arrays);
extern "C" int tune_region_smooth(void *const *arrays);

namespace {

#ifdef SIMULATED
constexpr int kCalls = 10, kInGraph = 2;
#else
constexpr int kCalls = 1000, kInGraph = 100;
#endif

void Check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  std::exit(1);
}

double Now() {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// Microseconds of each of `calls` calls, after one to warm up.
template <typename Call>
double Time(int calls, cudaStream_t stream, const Call &call) {
  call();
  Check(cudaStreamSynchronize(stream));
  const double begin = Now();
  for (int i = 0; i < calls; ++i) call();
  Check(cudaStreamSynchronize(stream));
  return (Now() - begin) / calls;
}

// The same of calls in one graph.
template <typename Call>
double TimeGraph(cudaStream_t stream, const Call &call) {
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  Check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  for (int i = 0; i < kInGraph; ++i) call();
  Check(cudaStreamEndCapture(stream, &graph));
  Check(cudaGraphInstantiateWithFlags(&executable, graph, 0));
  const double time = Time(10, stream, [&] { Check(cudaGraphLaunch(executable, stream)); }) / kInGraph;
  Check(cudaGraphExecDestroy(executable));
  Check(cudaGraphDestroy(graph));
  return time;
}

struct Memory {
  explicit Memory(size_t count) : host(count, 0.5) {
    Check(cudaMalloc(&device, count * sizeof(double)));
    Check(cudaMemcpy(device, host.data(), count * sizeof(double), cudaMemcpyHostToDevice));
  }
  double *on_device() { return static_cast<double *>(device); }
  std::vector<double> host;
  void *device = nullptr;
};

void Print(const char *name, double own, double device, double handle, double replacement) {
  std::printf(
      "%-10s kernels %9.2f us   device %9.2f us (%.3f)   handle %9.2f us (%.3f)   replacement %9.2f us\n",
      name, own, device, device / own, handle, handle / own, replacement);
}

void BenchGemm(cudaStream_t stream) {
  Memory C(size_t{NI} * NJ), A(size_t{NI} * NK), B(size_t{NK} * NJ);
  const auto device = [&] {
    Check(gemm_device(1.5, C.on_device(), 1.2, A.on_device(), B.on_device(), NI, NJ, NK, nullptr, stream));
  };
  device();
  const double own = TimeGraph(stream, device);
  gemm_handle *handle;
  Check(gemm_create(&handle));
  Check(gemm_upload(handle, C.host.data(), A.host.data(), B.host.data(), stream));
  double alpha = 1.5, beta = 1.2;
  void *const arrays[] = {&beta, C.host.data(), &alpha, A.host.data(), B.host.data()};
  const double of_device = Time(kCalls, stream, device);
  const double of_handle =
      Time(kCalls, stream, [&] { Check(gemm_run(handle, 1.2, 1.5, NI, NJ, NK, stream)); });
  Print("gemm", own, of_device, of_handle,
        Time(kCalls / 10, stream, [&] { Check(static_cast<cudaError_t>(tune_region_gemm(arrays))); }));
  Check(gemm_download(handle, C.host.data(), A.host.data(), B.host.data(), stream));
  Check(gemm_destroy(handle));
}

void BenchJacobi(cudaStream_t stream) {
  Memory A(N), B(N);
  const auto device = [&] { Check(smooth_device(A.on_device(), B.on_device(), TSTEPS, N, nullptr, stream)); };
  device();
  const double own = TimeGraph(stream, device);
  smooth_handle *handle;
  Check(smooth_create(&handle));
  Check(smooth_upload(handle, A.host.data(), B.host.data(), stream));
  void *const arrays[] = {A.host.data(), B.host.data()};
  const double of_device = Time(kCalls, stream, device);
  const double of_handle = Time(kCalls, stream, [&] { Check(smooth_run(handle, TSTEPS, N, stream)); });
  Print("jacobi-1d", own, of_device, of_handle,
        Time(kCalls / 10, stream, [&] { Check(static_cast<cudaError_t>(tune_region_smooth(arrays))); }));
  Check(smooth_destroy(handle));
}

}  // namespace

int main() {
  cudaStream_t stream;
  Check(cudaStreamCreate(&stream));
  BenchGemm(stream);
  BenchJacobi(stream);
  return 0;
}
