#include "common/transform/wide_loads/wide_loops.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "common/program/loop_body.h"
#include "common/program/loop_condition.h"
#include "common/program/neighbour_access.h"
#include "common/program/node_accesses.h"
#include "common/program/updated_in_place.h"

namespace tune {
namespace {

// CUDA has vectors of them.
bool HasVectors(v1::ElementType type) {
  return type == v1::ELEMENT_TYPE_FLOAT || type == v1::ELEMENT_TYPE_DOUBLE || type == v1::ELEMENT_TYPE_INT;
}

class WideLoops {
 public:
  WideLoops(const v1::Scop& scop, const std::vector<DeviceArray>& arrays, const DeviceKernel& kernel)
      : scop_(scop) {
    for (const KernelArray& used : kernel.arrays) {
      const DeviceArray& array = arrays[used.array];
      if (HasVectors(array.type) && LoadsPlainly(kernel, arrays, array.scop_name))
        (used.writes ? written_ : read_)[array.scop_name] = &array;
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
    for (const Node& node : loop->body)
      ForEachAccess(node, [&](const ElementAccess& access) { Add(access, iterations, loop); });
    if (loop->fetched.empty()) return;
    loop->wide = true;
    loop->ahead = iterations;
  }

  void Add(const ElementAccess& access, int64_t iterations, Loop* loop) const {
    const auto read = read_.find(access.array), written = written_.find(access.array);
    const bool is_read = read != read_.end();
    if (!is_read && written == written_.end()) return;
    const DeviceArray& array = is_read ? *read->second : *written->second;
    const auto same = [&](const KeptElement& fetched) { return fetched.element == access; };
    if (std::any_of(loop->fetched.begin(), loop->fetched.end(), same) ||
        !AreNeighbours(access, array, loop->iterator, iterations) ||
        !(is_read || IsUpdatedInPlace(*loop, access, scop_)))
      return;
    loop->fetched.push_back({access, array.type});
    if (!is_read) loop->collected.push_back({access, array.type, ElementsOfLoad(array.type, iterations)});
  }

  const v1::Scop& scop_;
  // Of which several elements can be accessed at once: those that the kernel does not write, and others.
  std::map<std::string, const DeviceArray*> read_, written_;
};

}  // namespace

void WidenLoops(const v1::Scop& scop, const std::vector<DeviceArray>& arrays, DeviceKernel* kernel) {
  WideLoops(scop, arrays, *kernel).Visit(&kernel->body);
}

}  // namespace tune
