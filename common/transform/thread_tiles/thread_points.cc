#include "common/transform/thread_tiles/thread_points.h"

#include "common/program/loop_condition.h"

namespace tune {
namespace {

using Op = IndexExpression::Op;

constexpr int64_t kUnrollAtBoundary = 4;
// So many points are unrolled, each with its condition, although they need not be: loads of all are on their
// way at once.
constexpr int64_t kFewPoints = 8;

bool HasConstantEnd(const Loop& loop) {
  return loop.condition.operands.size() == 2 && loop.condition.operands[1].IsConstant();
}

bool HasPartialPoints(const Block& block) {
  bool found = false;
  ForEachNode(block, [&](const Node& node) {
    const auto* loop = node.As<Loop>();
    found = found || (loop != nullptr && loop->points > 0 && !HasConstantBounds(*loop));
  });
  return found;
}

// An array in registers cannot be indexed by what is no constant once loops are unrolled.
bool UsesRegisters(const Block& block, const DeviceKernel& kernel) {
  bool found = false;
  ForEachNode(block, [&](const Node& node) {
    found = found || node.As<Transfer>() != nullptr || node.As<BlockReduction>() != nullptr;
    const auto* instance = node.As<Instance>();
    if (instance == nullptr) return;
    for (const ElementAccess& access : instance->accesses) {
      const Tile* const tile = kernel.FindTile(access.array);
      found = found || (tile != nullptr && !tile->shared);
    }
  });
  return found;
}

void Unroll(const DeviceKernel& kernel, Loop* loop) {
  const bool each = loop->step == IndexExpression::Constant(1);
  const bool guard_first = !loop->first.IsConstant(), guard_bound = !HasConstantEnd(*loop);
  if ((guard_first || guard_bound) &&
      (!each || (loop->points > kFewPoints && !UsesRegisters(loop->body, kernel)))) {
    loop->unroll = Loop::kNever;
    return;
  }
  loop->unroll = Loop::kWhole;
  if (!guard_first && !guard_bound) return;
  const IndexExpression iterator = IndexExpression::Name(loop->iterator);
  IndexExpression inside =
      guard_first ? IndexExpression::Of(Op::kGreaterEqual, {iterator, loop->first}) : loop->condition;
  if (guard_first && guard_bound) inside = IndexExpression::Of(Op::kAnd, {inside, loop->condition});
  if (guard_first) loop->first = IndexExpression::Constant(0);
  if (guard_bound)
    loop->condition = IndexExpression::Of(Op::kLess, {iterator, IndexExpression::Constant(loop->points)});
  Condition guarded{std::move(inside), std::move(loop->body), {}};
  loop->body = {{std::move(guarded)}};
}

void UnrollAll(const DeviceKernel& kernel, Block* block) {
  for (Node& node : *block) {
    auto* const loop = node.As<Loop>();
    if (loop != nullptr && loop->points > 0) {
      Unroll(kernel, loop);
      loop->points = 0;
    }
    for (Block* inner : node.blocks()) UnrollAll(kernel, inner);
  }
}

}  // namespace

void UnrollBoundaryLoopsLess(DeviceKernel* kernel) {
  ForEachNode(kernel->body, [](Node& node) {
    auto* const loop = node.As<Loop>();
    if (loop == nullptr || loop->unroll <= kUnrollAtBoundary || !HasPartialPoints(loop->body)) return;
    loop->unroll = kUnrollAtBoundary;
  });
}

void UnrollPoints(DeviceKernel* kernel) { UnrollAll(*kernel, &kernel->body); }

}  // namespace tune
