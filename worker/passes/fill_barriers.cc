#include "worker/passes/fill_barriers.h"

#include <algorithm>

#include "worker/passes/rewrite.h"

namespace tune {
namespace {

bool HasCopies(const Fill& fill, const DeviceKernel& kernel) {
  return std::all_of(fill.tiles.begin(), fill.tiles.end(),
                     [&](const TileFill& part) { return kernel.FindTile(part.to.array)->copies > 1; });
}

}  // namespace

void PlaceFillBarriers(DeviceKernel* kernel) {
  ReplaceNodes(&kernel->body, [&](Node& node) -> std::optional<Block> {
    const auto* const fill = node.As<Fill>();
    if (fill == nullptr) return std::nullopt;
    Block block;
    if (!HasCopies(*fill, *kernel)) block.push_back({Barrier{}});
    block.push_back(std::move(node));
    block.push_back({Barrier{}});
    return block;
  });
}

}  // namespace tune
