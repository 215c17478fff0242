// What objects of the simulated toolkit's nvcc (nvcc.sh.in) call, beside CUDA's runtime.
#include <cstdio>
#include <cstdlib>

#include "tests/simulated_cudart/cuda_runtime_api.h"
#include "tests/simulated_cudart/runtime.h"

extern "C" {

// Loads the kernels of such an object, when the program starts. nvcc.sh has compiled them, as programs are
// run often: `object` and its end.
void tune_simulated_kernels(const char* text, const char* object, const char* end) {
  const absl::Status loaded = tune::simulated::LoadKernels(text, {object, static_cast<size_t>(end - object)});
  if (loaded.ok()) return;
  std::fprintf(stderr, "simulated device: %s\n", std::string(loaded.message()).c_str());
  std::_Exit(98);
}
}
