#include "common/transform/buffers/double_buffers.h"

#include "common/program/rewrite.h"

namespace tune {

void DoubleBuffers(const HelperNames& names, DeviceKernel* kernel) {
  bool any = false;
  for (Tile& tile : kernel->tiles) {
    if (tile.shared) tile.copies = 2;
    any = any || tile.shared;
  }
  if (!any) return;
  const IndexExpression buffer = IndexExpression::Name(names.buffer);
  const auto choose_copy = [&](ElementAccess& access) {
    const Tile* const tile = kernel->FindTile(access.array);
    if (tile != nullptr && tile->shared) access.subscripts.insert(access.subscripts.begin(), buffer);
  };
  ReplaceNodes(&kernel->body, [&](Node& node) -> std::optional<Block> {
    if (auto* instance = node.As<Instance>()) {
      for (ElementAccess& access : instance->accesses) choose_copy(access);
    } else if (auto* transfer = node.As<Transfer>()) {
      choose_copy(transfer->to);
      choose_copy(transfer->from);
    } else if (auto* fill = node.As<Fill>()) {
      for (TileFill& part : fill->tiles) choose_copy(part.to);
      return Block{{SwapBuffers{names.buffer}}, std::move(node)};
    }
    return std::nullopt;
  });
  Block begin = {{Definition{"int", names.buffer, IndexExpression::Constant(0), /*constant=*/false}}};
  // Another call of the function may still read the tiles.
  if (kernel->is_function) begin.push_back({Barrier{}});
  kernel->body.insert(kernel->body.begin(), begin.begin(), begin.end());
}

}  // namespace tune
