#include "common/transform/launches/register_loops.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "common/program/node_accesses.h"
#include "common/program/thread_subscripts.h"

namespace tune {
namespace {

// Iterations beyond which code that is unrolled no longer pays off.
constexpr int64_t kMostIterations = 12;

// Calls visit(array, instance) for the arrays in registers that each instance touches.
template <typename Visit>
void ForEachUse(const DeviceProgram& program, const DeviceKernel& kernel, const Visit& visit) {
  for (const KernelArray& used : kernel.arrays) {
    const DeviceArray& array = program.arrays[used.array];
    if (array.of_thread == 0) continue;
    ForEachNode(kernel.body, [&](const Node& node) { visit(array, node); });
  }
}

void UnrollElements(const DeviceProgram& program, DeviceKernel* kernel) {
  std::set<std::string> iterators;
  ForEachUse(program, *kernel, [&](const DeviceArray& array, const Node& node) {
    ForEachAccess(node, [&](const ElementAccess& access) {
      if (access.array == array.scop_name)
        CollectNamesBetween(access, array.of_block, array.of_thread, &iterators);
    });
  });
  ForEachNode(kernel->body, [&](Node& node) {
    auto* const loop = node.As<Loop>();
    if (loop != nullptr && iterators.count(loop->iterator) > 0) loop->unroll = Loop::kWhole;
  });
}

// The extent along which the instance moves a value to the next element of the array; 1: it does not.
int64_t MovesAlong(const DeviceArray& array, const Instance& instance) {
  if (instance.accesses.size() != 2) return 1;
  const ElementAccess &a = instance.accesses[0], &b = instance.accesses[1];
  if (a.array != array.scop_name || b.array != array.scop_name) return 1;
  for (size_t i = 0; i < array.extents.size(); ++i) {
    const IndexExpression &x = a.subscripts[i], &y = b.subscripts[i];
    if (x.IsConstant() && y.IsConstant() && std::abs(x.value - y.value) == 1) return array.extents[i];
  }
  return 1;
}

// After how many runs of the kernel each value that it moves is back in its register.
int64_t Turns(const DeviceProgram& program, const DeviceKernel& kernel) {
  int64_t turns = 1;
  ForEachUse(program, kernel, [&](const DeviceArray& array, const Node& node) {
    const auto* const instance = node.As<Instance>();
    if (instance != nullptr) turns = std::lcm(turns, MovesAlong(array, *instance));
  });
  return turns;
}

}  // namespace

void UnrollRegisterLoops(DeviceProgram* program) {
  for (DeviceKernel& kernel : program->kernels) UnrollElements(*program, &kernel);
  ForEachNode(program->host, [&](Node& node) {
    auto* const merged = node.As<MergedLaunch>();
    if (merged == nullptr || !merged->tiles) return;
    ForEachNode(merged->body, [&](Node& part) {
      auto* const loop = part.As<Loop>();
      if (loop == nullptr || loop->parallel) return;
      int64_t turns = 1;
      for (const Node& inner : loop->body) {
        if (const auto* run = inner.As<BlockTurns>())
          turns = std::lcm(turns, Turns(*program, program->kernels[run->launch.kernel]));
      }
      if (turns > 1) loop->unroll = std::min(turns, kMostIterations);
    });
  });
}

}  // namespace tune
