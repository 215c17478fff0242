#include "common/transform/loads_ahead/ahead_loops.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "common/program/loop_body.h"
#include "common/program/loop_condition.h"
#include "common/program/node_accesses.h"

namespace tune {
namespace {

class AheadLoops {
 public:
  AheadLoops(const std::vector<DeviceArray>& arrays, int64_t iterations, const DeviceKernel& kernel)
      : iterations_(iterations) {
    for (const KernelArray& used : kernel.arrays) {
      const DeviceArray& array = arrays[used.array];
      if (!used.writes && !array.extents.empty()) types_[array.scop_name] = array.type;
    }
  }

  void Visit(Block* block) const {
    for (Node& node : *block) {
      auto* const loop = node.As<Loop>();
      if (loop != nullptr && CanLoadAhead(*loop)) {
        SetFetched(loop);
      } else {
        for (Block* inner : node.blocks()) Visit(inner);
      }
    }
  }

 private:
  bool CanLoadAhead(const Loop& loop) const {
    const std::optional<int64_t> iterations = FixedIterations(loop);
    const bool is_short = iterations && *iterations < 2 * iterations_;
    const bool unrolled = loop.unroll != Loop::kCompilerDecides && loop.unroll != Loop::kNever;
    return IsCanonical(loop) && loop.step == IndexExpression::Constant(1) && loop.points == 0 && !unrolled &&
           !is_short && HasStatementsAlone(loop.body);
  }

  void SetFetched(Loop* loop) const {
    for (const Node& node : loop->body) {
      ForEachAccess(node, [&](const ElementAccess& access) { AddFetched(access, loop); });
    }
    if (!loop->fetched.empty()) loop->ahead = iterations_;
  }

  // Once each.
  void AddFetched(const ElementAccess& access, Loop* loop) const {
    const auto type = types_.find(access.array);
    const auto mentions = [&](const IndexExpression& subscript) {
      return Mentions(subscript, loop->iterator);
    };
    const auto same = [&](const KeptElement& fetched) { return fetched.element == access; };
    if (type == types_.end() || std::none_of(access.subscripts.begin(), access.subscripts.end(), mentions) ||
        std::any_of(loop->fetched.begin(), loop->fetched.end(), same))
      return;
    loop->fetched.push_back({access, type->second});
  }

  const int64_t iterations_;
  std::map<std::string, v1::ElementType> types_;  // of what can be loaded at any time
};

}  // namespace

void LoadAhead(const std::vector<DeviceArray>& arrays, int64_t iterations, DeviceKernel* kernel) {
  AheadLoops(arrays, iterations, *kernel).Visit(&kernel->body);
}

}  // namespace tune
