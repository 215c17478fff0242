// How a program's kernels come to run.
//
// Asks `launches`, where there is more than one launch: separate (each by the host), one_block (one launch of
// one block runs all, with barriers in place of the ends of launches), grid (the same with as many blocks as
// the device holds at once) or graph (a CUDA graph of the launches; the default of kernels below host loops
// that are too large for one launch). One block and grid need blocks of one size wherever a kernel has
// barriers of its own, and no kernel that opts in to more shared memory; a grid needs a device whose blocks
// can wait for each other; one block is for launches of at most a million iterations. Of the launches apart
// and of a graph asks `inner_launches`, where the host has loops in loops: apart, or those of inner loops in
// one launch of one block, the default where a block runs them about as fast as the device. Launches of tiles
// (common/kernel/tile_loops.h) are one, with a block for each tile, whatever becomes of the others; arrays
// that hold tiles' elements stand in shared memory then. Applied to the program (merge_launches.h,
// block_arrays.h).
#pragma once

#include "common/transform/cuda_transformation.h"

namespace tune {

// Each launch by the host; all in one launch, of one block or of as many as the device holds at once; or each
// by the device, which the host gives all of them in one call, as a CUDA graph.
struct LaunchForm {
  enum Form { kSeparate, kOneBlock, kGrid, kGraph } form = kSeparate;
  // Whether the launches of inner loops of the host are one, of one block of so many threads.
  bool merges_inner = false;
  int64_t inner_threads = 1;

  // Whether one launch runs all kernels.
  bool IsOne() const { return form == kOneBlock || form == kGrid; }
  // Of a block that runs the launches of a tile; 0: there are none.
  int64_t tile_threads = 0;
  int64_t tile_registers = 0;  // that a thread of it is to do with; 0: the compiler decides
  bool tiles_fit = true;       // no kernel of a tile has barriers and fewer threads
  // Whether a launch of several kernels runs this one.
  bool Merges(const Kernel& kernel) const;
};

const CudaTransformation& Launches();

// Whether blocks of so many threads, of one launch, can run the kernels of `plans`.
bool FitBlocks(const std::vector<KernelPlan>& plans, int64_t threads);

// Threads of a block when one launch runs all: those of the kernels that have barriers, else as many as
// the device allows.
int64_t CommonThreads(const std::vector<KernelPlan>& plans, const DeviceFacts& device);

}  // namespace tune
