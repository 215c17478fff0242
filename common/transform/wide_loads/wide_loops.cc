#include "common/transform/wide_loads/wide_loops.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "common/program/loop_body.h"
#include "common/program/loop_condition.h"
#include "common/program/neighbour_access.h"
#include "common/program/node_accesses.h"

namespace tune {
namespace {

// CUDA has vectors of them.
bool HasVectors(v1::ElementType type) {
  return type == v1::ELEMENT_TYPE_FLOAT || type == v1::ELEMENT_TYPE_DOUBLE || type == v1::ELEMENT_TYPE_INT;
}

class WideLoops {
 public:
  WideLoops(const std::vector<DeviceArray>& arrays, const DeviceKernel& kernel) {
    for (const KernelArray& used : kernel.arrays) {
      const DeviceArray& array = arrays[used.array];
      if (!used.writes && HasVectors(array.type) && LoadsPlainly(kernel, arrays, array.scop_name))
        arrays_[array.scop_name] = &array;
    }
  }

  void Visit(Block* block) const {
    for (Node& node : *block) {
      auto* const loop = node.As<Loop>();
      if (loop != nullptr && CanBeWide(*loop)) Widen(loop);
      for (Block* inner : node.blocks()) Visit(inner);
    }
  }

 private:
  static bool CanBeWide(const Loop& loop) {
    const std::optional<int64_t> iterations = FixedIterations(loop);
    return loop.unroll == Loop::kWhole && loop.ahead == 0 && iterations &&
           (*iterations == 2 || *iterations == 4) && loop.first == IndexExpression::Constant(0) &&
           HasStatementsAlone(loop.body);
  }

  void Widen(Loop* loop) const {
    const int64_t iterations = *FixedIterations(*loop);
    for (const Node& node : loop->body) {
      ForEachAccess(node, [&](const ElementAccess& access) {
        const auto array = arrays_.find(access.array);
        const auto same = [&](const KeptElement& fetched) { return fetched.element == access; };
        if (array != arrays_.end() && std::none_of(loop->fetched.begin(), loop->fetched.end(), same) &&
            AreNeighbours(access, *array->second, loop->iterator, iterations))
          loop->fetched.push_back({access, array->second->type});
      });
    }
    if (loop->fetched.empty()) return;
    loop->wide = true;
    loop->ahead = iterations;
  }

  std::map<std::string, const DeviceArray*> arrays_;  // of which several elements can be loaded at once
};

}  // namespace

void WidenLoops(const std::vector<DeviceArray>& arrays, DeviceKernel* kernel) {
  WideLoops(arrays, *kernel).Visit(&kernel->body);
}

}  // namespace tune
