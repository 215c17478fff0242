#include "worker/passes/fill_barriers.h"

#include <utility>

namespace tune {
namespace {

class Placement {
 public:
  explicit Placement(const DeviceKernel& kernel) : kernel_(kernel) {
    // Another call of the function may still read the tiles.
    read_ = kernel.is_function;
  }

  Block Place(const Block& block) {
    Block placed;
    for (const Node& node : block) Place(node, &placed);
    return placed;
  }

 private:
  void Place(const Node& node, Block* placed) {
    if (const auto* fill = node.As<Fill>()) return PlaceFill(node, *fill, placed);
    Node copy = node;
    if (auto* loop = copy.As<Loop>()) {
      // What an iteration reads may still be read when the next one begins.
      const bool before = read_;
      Block body = Place(loop->body);
      if (read_ && !before) body = Place(loop->body);
      loop->body = std::move(body);
      read_ = read_ || before;
    } else if (auto* branch = copy.As<Condition>()) {
      const bool before = read_;
      branch->then = Place(branch->then);
      const bool after_then = std::exchange(read_, before);
      branch->otherwise = Place(branch->otherwise);
      read_ = read_ || after_then;
    } else if (auto* scope = copy.As<Scope>()) {
      scope->body = Place(scope->body);
    } else {
      read_ = (read_ && node.As<Barrier>() == nullptr) || ReadsSharedTile(kernel_, node);
    }
    placed->push_back(std::move(copy));
  }

  void PlaceFill(const Node& node, const Fill& fill, Block* placed) {
    if (read_) placed->push_back({Barrier{}});
    read_ = false;
    placed->push_back(node);
    if (fill.ahead) return;
    if (fill.IsAsynchronous()) {
      placed->push_back({CommitFills{}});
      placed->push_back({AwaitFills{}});
    }
    placed->push_back({Barrier{}});
  }

  const DeviceKernel& kernel_;
  bool read_ = false;  // a tile, since the last barrier, on some path that leads here
};

}  // namespace

void PlaceFillBarriers(DeviceKernel* kernel) { kernel->body = Placement(*kernel).Place(kernel->body); }

}  // namespace tune
