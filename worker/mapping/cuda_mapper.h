// Applies the decisions of a CudaPlan to its schedule tree: what the host launches, what a thread runs.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/mapping/block_of_kernel.h"
#include "common/mapping/local_memory.h"
#include "common/space/cuda_space.h"

namespace tune {

// Names of the parameters that stand for a thread's place, each followed by a number: the value of the host
// loop at that depth, the block's and the thread's coordinate along that axis (0: x).
struct CudaIds {
  std::string host = "tune_h";
  std::string block = "tune_b";
  std::string thread = "tune_t";
};

// One launch site. Polyhedral objects are specialised to the parameter values; K is the launches' space.
struct MappedKernel {
  const Kernel* kernel = nullptr;    // into CudaPlan::scheduled
  const KernelPlan* plan = nullptr;  // into CudaPlan::kernels
  isl::set launches;                 // { K[h...] }, one dimension a host loop
  // First and last block that may have work, along each axis, x first: { K[h] -> [b] }.
  std::vector<isl::pw_aff> first_block, last_block;
  std::array<int64_t, 3> threads = {1, 1, 1};  // of a block, x first
  int64_t ThreadCount() const { return threads[0] * threads[1] * threads[2]; }
  int reduction_axis = -1;  // along which threads share a reduction; -1: none do
  // What one thread runs, in terms of the parameters of CudaIds: the scop's instances at those coordinates,
  // those that were added to fill up tiles (padding.h), and the copies of `memory`.
  isl::schedule thread;
  LocalMemory memory;
  isl::set context;  // on those parameters, whenever a thread runs
  // { S -> S' }: reduction orderings that threads, and blocks, may ignore.
  std::optional<isl::union_map> relaxed;
};

struct MappedProgram {
  std::vector<MappedKernel> kernels;  // those that have instances, in tree order; K is named "K0", "K1", ...
  isl::schedule host;                 // order of the launches, over { K[h] }
};

// Blocks run tiles of the mapped members, aligned to multiples of the tile size, so that a block's first
// element along x starts a new segment of memory where rows do. A thread's points are cyclic: neighbours in a
// warp stay neighbours in memory. Every instance runs on exactly one thread of one launch; all dependences of
// a kernel lie within a thread, because the mapped members are coincident, but for the order of a reduction's
// updates. The plan must outlive the result. Errors: those of IslContext::Run; INTERNAL when plan and tree do
// not fit.
absl::StatusOr<MappedProgram> MapCudaPlan(IslContext& context, const CudaPlan& plan, const ParsedScop& scop,
                                          const CudaSpaceOptions& options,
                                          const std::map<std::string, int64_t>& parameter_values,
                                          const CudaIds& ids, const TreeHook& hook = {});

}  // namespace tune
