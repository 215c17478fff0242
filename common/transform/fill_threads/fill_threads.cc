#include "common/transform/fill_threads/fill_threads.h"

#include <algorithm>

#include "common/array/element_type.h"
#include "common/mapping/cuda_limits.h"
#include "common/program/rewrite.h"
#include "common/program/thread_names.h"

namespace tune {
namespace {

using Op = IndexExpression::Op;

// So many elements a thread are copied by a loop that is unrolled, twice as many of 2 bytes.
constexpr int64_t kMostUnrolledCopies = 16;
constexpr int64_t kBytesOfElement = 4;

// Threads of the first warp that only run instances, while the others fill tiles.
int64_t RunningThreads(int64_t share, const DeviceKernel& kernel) {
  const bool copies =
      std::any_of(kernel.tiles.begin(), kernel.tiles.end(), [](const Tile& tile) { return tile.copies > 1; });
  const int64_t running = kernel.ThreadCount() / share;
  return copies && running <= kWarp && kernel.ThreadCount() > kWarp ? kWarp : 0;
}

}  // namespace

void AssignFillThreads(int64_t share, const HelperNames& names, DeviceKernel* kernel) {
  if (std::none_of(kernel->tiles.begin(), kernel->tiles.end(), [](const Tile& tile) { return tile.shared; }))
    return;
  const int64_t running = RunningThreads(share, *kernel);
  ReplaceNodes(&kernel->body, [&](Node& node) -> std::optional<Block> {
    auto* const fill = node.As<Fill>();
    if (fill == nullptr) return std::nullopt;
    fill->lane = names.lane;
    fill->threads = kernel->ThreadCount() - running;
    if (running == 0) return std::nullopt;
    IndexExpression is_helper = IndexExpression::Of(
        Op::kGreaterEqual, {IndexExpression::Name(names.lane), IndexExpression::Constant(0)});
    return Block{{Condition{std::move(is_helper), {std::move(node)}, {}}}};
  });
  IndexExpression lane = ThreadNumber(names, *kernel);
  if (running > 0) lane = std::move(lane) - IndexExpression::Constant(running);
  kernel->body.insert(kernel->body.begin(), {Definition{"int", names.lane, std::move(lane)}});
}

void UnrollFills(DeviceKernel* kernel) {
  ForEachNode(kernel->body, [&](Node& node) {
    auto* const fill = node.As<Fill>();
    if (fill == nullptr) return;
    for (TileFill& part : fill->tiles) {
      const Tile& tile = *kernel->FindTile(part.to.array);
      const int64_t bytes = std::min(kBytesOfElement, static_cast<int64_t>(ElementSize(tile.type)));
      part.unroll = tile.Elements() * bytes <= kMostUnrolledCopies * kBytesOfElement * fill->threads;
    }
  });
}

}  // namespace tune
