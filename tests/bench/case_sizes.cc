// Runs code for all sizes beside code that was made for each of them, on one device:
// tests/bench/case_sizes.py builds and calls it. Arguments: the number of parameters, then the values of each
// size, one after another. Prints a CSV line for each: its values, whether the results agree ("yes", or what
// is wrong), and the kernels' times in microseconds of the code for all sizes, of the default decisions for
// this size, and, where it was tuned, of the best; empty: there is none.
#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

// Made by case_sizes.py: kArrays, kParameters; Extents(parameters): of each array; Work(parameters):
// iterations; CallDevice(function, arrays, parameters, workspace, stream); Original(arrays, parameters).
#include "problem.h"

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

namespace {

using Numbers = std::vector<float>;
using OnDevice = cudaError_t (*)(void *const *, const long long *, cudaStream_t);

constexpr double kHostSteps = 2e9;  // where the original is run beside
constexpr int kRuns = 7;
constexpr double kTolerance = 1e-3;  // relative L2 error of an array

void Check(cudaError_t error, const char *what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

// In a library of its own, or, on a simulated device, among what was loaded.
void *Find(const char *library, const char *function) {
#ifdef SIMULATED
  return dlsym(RTLD_DEFAULT, function);
#else
  void *const opened = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  return opened == nullptr ? nullptr : dlsym(opened, function);
#endif
}

long long CountOf(const std::vector<long long> &extents) {
  long long count = 1;
  for (const long long extent : extents) count *= extent;
  return count;
}

class Problem {
 public:
  explicit Problem(std::vector<long long> parameters)
      : parameters_(std::move(parameters)), extents_(Extents(parameters_.data())) {
    for (int a = 0; a < kArrays; ++a) {
      Numbers numbers(CountOf(extents_[a]));
      for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>((i * 7 + a * 3) % 11) / 11;
      given_.push_back(std::move(numbers));
      sizes_.insert(sizes_.end(), extents_[a].begin(), extents_[a].end());
      Check(cudaMalloc(&device_.emplace_back(nullptr), given_[a].size() * sizeof(float)), "cudaMalloc");
    }
    sizes_.insert(sizes_.end(), parameters_.begin(), parameters_.end());
  }
  ~Problem() {
    for (void *array : device_) cudaFree(array);
  }
  Problem(const Problem &) = delete;
  Problem &operator=(const Problem &) = delete;

  const std::vector<long long> &parameters() const { return parameters_; }
  const long long *sizes() const { return sizes_.data(); }
  void *const *arrays() const { return device_.data(); }

  void Upload() {
    for (int a = 0; a < kArrays; ++a)
      Check(
          cudaMemcpy(device_[a], given_[a].data(), given_[a].size() * sizeof(float), cudaMemcpyHostToDevice),
          "upload");
  }
  std::vector<Numbers> Download() {
    std::vector<Numbers> results = given_;
    for (int a = 0; a < kArrays; ++a)
      Check(cudaMemcpy(results[a].data(), device_[a], results[a].size() * sizeof(float),
                       cudaMemcpyDeviceToHost),
            "download");
    return results;
  }
  std::vector<Numbers> RunOriginal() {
    std::vector<Numbers> results = given_;
    std::vector<void *> arrays;
    for (Numbers &numbers : results) arrays.push_back(numbers.data());
    Original(arrays.data(), parameters_.data());
    return results;
  }

 private:
  const std::vector<long long> parameters_;
  const std::vector<std::vector<long long>> extents_;
  std::vector<Numbers> given_;
  std::vector<void *> device_;
  std::vector<long long> sizes_;
};

bool Agree(const std::vector<Numbers> &found, const std::vector<Numbers> &expected) {
  for (size_t a = 0; a < found.size(); ++a) {
    double error = 0, norm = 0;
    for (size_t i = 0; i < found[a].size(); ++i) {
      const double difference = double(found[a][i]) - double(expected[a][i]);
      error += difference * difference;
      norm += double(expected[a][i]) * double(expected[a][i]);
    }
    if (!(error <= kTolerance * kTolerance * norm)) return false;
  }
  return true;
}

using Run = std::function<cudaError_t(cudaStream_t)>;

// Median time of a run that is not the first, from when the device begins until it has ended, in
// microseconds.
double TimeOf(Problem &problem, const Run &run, cudaStream_t stream) {
  std::vector<double> times;
  for (int i = 0; i < kRuns; ++i) {
    problem.Upload();
    Check(cudaDeviceSynchronize(), "upload");
#ifdef SIMULATED
    const auto start = std::chrono::steady_clock::now();
    Check(run(stream), "run");
    Check(cudaStreamSynchronize(stream), "run");
    times.push_back(
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
#else
    cudaEvent_t begin, end;
    Check(cudaEventCreate(&begin), "event");
    Check(cudaEventCreate(&end), "event");
    Check(cudaEventRecord(begin, stream), "event");
    Check(run(stream), "run");
    Check(cudaEventRecord(end, stream), "event");
    Check(cudaEventSynchronize(end), "run");
    float milliseconds = 0;
    Check(cudaEventElapsedTime(&milliseconds, begin, end), "event");
    times.push_back(milliseconds * 1e3);
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
#endif
  }
  std::nth_element(times.begin(), times.begin() + kRuns / 2, times.end());
  return times[kRuns / 2];
}

// Code for one of several sizes; nothing for others.
struct SizedCode {
  void *device = nullptr, *workspace_bytes = nullptr;
  void *workspace = nullptr;

  SizedCode(const char *library, const char *name) {
    device = Find(library, (std::string(name) + "_device").c_str());
    workspace_bytes = Find(library, (std::string(name) + "_workspace_bytes").c_str());
    const size_t bytes = workspace_bytes == nullptr ? 0 : reinterpret_cast<size_t (*)()>(workspace_bytes)();
    if (bytes > 0) Check(cudaMalloc(&workspace, bytes), "cudaMalloc");
  }
  Run Of(const Problem &problem) const {
    return [this, &problem](cudaStream_t stream) {
      return CallDevice(device, problem.arrays(), problem.parameters().data(), workspace, stream);
    };
  }
};

}  // namespace

int main(int argc, char **argv) {
  std::vector<long long> values;
  for (int i = 1; i < argc; ++i) values.push_back(std::atoll(argv[i]));
#ifdef SIMULATED
  values = {SIMULATED};
#endif
  const auto all_sizes = reinterpret_cast<OnDevice>(Find("./cases.so", TEXT(NAME) "_on_device"));
  const SizedCode standard("./default.so", TEXT(NAME)), tuned("./tuned.so", TEXT(NAME));
  if (all_sizes == nullptr || standard.device == nullptr) {
    std::fprintf(stderr, "cases.so or default.so is missing, or has no entry point: %s\n", dlerror());
    return 1;
  }
  cudaStream_t stream;
  Check(cudaStreamCreate(&stream), "stream");
  for (size_t first = 0; first + kParameters <= values.size(); first += kParameters) {
    Problem problem(std::vector<long long>(values.begin() + first, values.begin() + first + kParameters));
    const Run run = [&](cudaStream_t s) { return all_sizes(problem.arrays(), problem.sizes(), s); };
    problem.Upload();
    std::string right = "yes";
    Check(run(stream), "the code for all sizes");
    Check(cudaStreamSynchronize(stream), "the code for all sizes");
    const std::vector<Numbers> found = problem.Download();
    problem.Upload();
    Check(standard.Of(problem)(stream), "the code of this size");
    Check(cudaStreamSynchronize(stream), "the code of this size");
    if (!Agree(found, problem.Download())) right = "not as the code of this size";
    if (Work(problem.parameters().data()) <= kHostSteps && !Agree(found, problem.RunOriginal()))
      right = "not as the original";
    for (const long long value : problem.parameters()) std::printf("%lld,", value);
    std::printf("%s,%.3f,%.3f,", right.c_str(), TimeOf(problem, run, stream),
                TimeOf(problem, standard.Of(problem), stream));
#ifdef SIMULATED
    const bool has_tuned = false;  // all code is in one place
#else
    const bool has_tuned = tuned.device != nullptr && tuned.Of(problem)(stream) == cudaSuccess;
    cudaStreamSynchronize(stream);
#endif
    if (has_tuned) std::printf("%.3f", TimeOf(problem, tuned.Of(problem), stream));
    std::printf("\n");
    std::fflush(stdout);
  }
  return 0;
}
