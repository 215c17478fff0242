// The interface of launch sequences: C without any header of CUDA, so that the host's own compiler builds it,
// loaded by the process that holds the device.
#pragma once

#include <cstdint>

namespace tune {

// One launch that a sequence asks for: struct tune_launch of the text.
struct PlannedLaunch {
  int kernel;         // its index among the program's kernels
  unsigned grid[3];   // x, y, z
  unsigned block[3];  // x, y, z
  void** arguments;   // pointers to the values of the kernel's parameters, as cuLaunchKernel takes them
};

// tune_launch_sequence, which the text defines: calls `launch` for every launch of one execution of the
// region, in order; each must see what those before it wrote. The launch and its arguments live until
// `launch` returns. memory[i] is the device memory of the scop's array i, memory[n + i] of n arrays its
// texture object, as its bits; host[i] points to the value of a scalar that is passed by value. Other entries
// are not read.
using LaunchSequenceFunction = void(void* const* memory, const void* const* host,
                                    void (*launch)(void* context, const PlannedLaunch* launch),
                                    void* context);

// Executions of more launches than this are not recorded as a CUDA graph, of which a launch takes about a
// kilobyte.
inline constexpr int64_t kMostRecordedLaunches = 100'000;

// The same in C, with which a text begins.
constexpr char kLaunchSequenceDeclarations[] = R"(struct tune_launch {
  int kernel;
  unsigned grid[3];
  unsigned block[3];
  void **arguments;
};

void tune_launch_sequence(void *const *memory, const void *const *host,
               void (*launch)(void *context, const struct tune_launch *launch), void *context);

)";

// Up to the first statement of tune_launch_sequence.
constexpr char kLaunchSequenceHead[] =
    R"(void tune_launch_sequence(void *const *memory, const void *const *host,
               void (*launch)(void *context, const struct tune_launch *launch), void *context) {
)";

}  // namespace tune
