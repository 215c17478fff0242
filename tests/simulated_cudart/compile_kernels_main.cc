// compile_kernels OBJECT < TEXT: compiles kernels in CUDA for programs that run on the simulated device.
#include <cstdio>
#include <iostream>
#include <iterator>
#include <string>

#include "tests/simulated_cudart/runtime.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "compile_kernels: one argument, the object, and the text on standard input\n");
    return 1;
  }
  std::string text{std::istreambuf_iterator<char>(std::cin), {}};
  if (!text.empty() && text.back() == '\n') text.pop_back();  // the shell's own
  const absl::Status written = tune::simulated::WriteKernels(text, argv[1]);
  if (written.ok()) return 0;
  std::fprintf(stderr, "compile_kernels: %s\n", std::string(written.message()).c_str());
  return 1;
}
