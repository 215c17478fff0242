// Runs generated CUDA text on this machine's processor and finds what would be wrong on a GPU.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "common/base/random.h"
#include "common/base/status.h"
#include "tests/simt/compiled_text.h"
#include "tests/simt/grid.h"
#include "tests/simt/shadow.h"

namespace tune::simt {

struct Kernel {
  std::string name;  // as C++ writes it: "area::tile<4>"
  int64_t dynamic_shared_bytes = 0;
  bool cooperative = false;  // see Simulator::Launch
};

// One text of `extern "C" __global__` kernels and the memory of its device. A launch runs all blocks one
// after another in random order, those of a cooperative launch in turns; threads as fibers in random order
// between barriers. Found: accesses outside of all memory, of an array's dimensions or of the block's shared
// variables; misaligned accesses; reads of shared memory that the block has not written, or of what an
// asynchronous copy brings that was not waited for; races between threads of a block and between blocks;
// reads by __ldg or through a kernel's `const T *__restrict__` of what the launch changes; barriers of block
// or grid and warp operations that not all threads reach; shuffles from absent lanes; division by zero;
// endless loops; launches that an H200 refuses. A thread's variables begin with what no program computes.
// Used by one thread at a time.
class Simulator {
 public:
  // Kernels in the order of their numbers. INVALID_ARGUMENT with the compiler's words when the text does not
  // compile.
  static absl::StatusOr<std::unique_ptr<Simulator>> Compile(const std::string& cuda_text,
                                                            const std::vector<Kernel>& kernels);
  // The same of a text that was compiled before (CompiledText::Load).
  static absl::StatusOr<std::unique_ptr<Simulator>> Load(const std::string& cuda_text,
                                                         const std::vector<Kernel>& kernels,
                                                         absl::string_view object);

  enum class Content { kDefined, kUndefined };

  // Memory that kernels may access ("global memory"); `name` is for messages. What is in kUndefined memory
  // may be read only after a kernel has written it. INVALID_ARGUMENT when it overlaps with other memory.
  absl::Status AddMemory(const std::string& name, void* begin, size_t bytes,
                         Content content = Content::kDefined);

  // A `__constant__` or `__device__` variable of the text; null: there is none.
  const CompiledText::Variable* FindVariable(const std::string& name) const {
    return text_->FindVariable(name);
  }

  struct Launch {
    int kernel = 0;
    unsigned grid[3] = {1, 1, 1};  // x, y, z
    unsigned block[3] = {1, 1, 1};
    int64_t dynamic_shared_bytes = 0;
    void** arguments =
        nullptr;  // one pointer per parameter, to its value; a texture object is its array's address
    // All blocks are resident at once and may wait for each other at TUNE_GRID_BARRIER(). Elsewhere that is a
    // fault, but for a launch of one block, where it is like __syncthreads().
    bool cooperative = false;
  };

  // INVALID_ARGUMENT for a launch that a GPU refuses, FAILED_PRECONDITION for a fault of the kernel. The
  // message names kernel, block, thread, line, array and byte.
  absl::Status Run(const Launch& launch, uint64_t seed);

  const std::vector<Kernel>& kernels() const { return kernels_; }
  int parameters(int kernel) const { return text_->interface()->kernels[kernel].parameters; }

  // Basic blocks that all threads of one launch may execute together before it counts as endless; 2^31 at
  // first. A loop without any statement, `for (;;) {}`, has none and is not noticed.
  void set_step_limit(int64_t steps) { step_limit_ = steps; }

  struct Counts {
    int64_t launches = 0;
    int64_t blocks = 0;
    int64_t accesses = 0;  // to memory, atomic updates as one
    int64_t barriers = 0;  // passed by blocks
  };
  Counts counts() const;

 private:
  // Of one kernel.
  struct Limits {
    std::vector<Shadow::Shared> shared;    // static variables
    std::vector<GridLaunch::Bytes> bytes;  // the same
    int64_t static_shared_bytes = 0;
    int threads = 1024;
    std::vector<bool> constant_parameters;
  };

  static absl::StatusOr<std::unique_ptr<Simulator>> Make(std::unique_ptr<CompiledText> text,
                                                         const std::vector<Kernel>& kernels);
  Simulator(std::unique_ptr<CompiledText> text, std::vector<Kernel> kernels);
  absl::Status Prepare();
  bool IsKernel(const std::string& function) const;
  absl::Status CheckLaunch(const Launch& launch) const;
  absl::Status CheckResident(const Launch& launch, uint64_t threads) const;
  absl::Status Explain(const Launch& launch) const;

  std::unique_ptr<CompiledText> text_;
  std::vector<Kernel> kernels_;
  std::vector<Limits> limits_;
  int dynamic_shared_ = -1;  // number of that region
  Shadow shadow_;
  Grid grid_;
  int64_t step_limit_ = int64_t{1} << 31;
  int64_t launches_ = 0;
};

}  // namespace tune::simt
