#include "common/transform/row_pieces/piece_loops.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "common/program/collected_stores.h"
#include "common/program/loop_body.h"
#include "common/program/node_accesses.h"
#include "common/program/row_access.h"

namespace tune {
namespace {

class PieceLoops {
 public:
  PieceLoops(const v1::Scop& scop, const std::vector<DeviceArray>& arrays, const DeviceKernel& kernel)
      : scop_(scop) {
    for (const KernelArray& used : kernel.arrays) {
      const DeviceArray& array = arrays[used.array];
      if (LoadsPlainly(kernel, arrays, array.scop_name)) arrays_[array.scop_name] = {&array, used.writes};
    }
  }

  void Visit(Block* block) const {
    for (Node& node : *block) {
      auto* const loop = node.As<Loop>();
      if (loop != nullptr && loop->ahead > 0 && !loop->wide && HasStatementsAlone(loop->body)) {
        SetPieces(loop);
      } else {
        for (Block* inner : node.blocks()) Visit(inner);
      }
    }
  }

 private:
  struct UsedArray {
    const DeviceArray* array = nullptr;
    bool written = false;
  };

  void SetPieces(Loop* loop) const {
    std::vector<KeptElement> stores = StoresOf(*loop);
    loop->phase = BestPhase(*loop, stores);
    for (KeptElement& fetched : loop->fetched) {
      if (BeginsPieces(fetched, *loop, loop->phase)) fetched.width = WidthOf(fetched, *loop);
    }
    for (KeptElement& store : stores) {
      if (!BeginsPieces(store, *loop, loop->phase)) continue;
      store.width = WidthOf(store, *loop);
      loop->collected.push_back(store);
    }
    loop->phase %= WidestPiece(*loop);
  }

  // Those that can be collected, once each.
  std::vector<KeptElement> StoresOf(const Loop& loop) const {
    std::vector<KeptElement> stores;
    for (const Node& node : loop.body) {
      ForEachAccess(node, [&](const ElementAccess& access) {
        const auto used = arrays_.find(access.array);
        const auto same = [&](const KeptElement& store) { return store.element.array == access.array; };
        if (used != arrays_.end() && used->second.written &&
            std::none_of(stores.begin(), stores.end(), same) && CanCollect(loop, access, loop.ahead, scop_))
          stores.push_back({access, used->second.array->type});
      });
    }
    return stores;
  }

  // Elements at once, of a piece of 16 bytes or of as many iterations as are ahead.
  static int64_t WidthOf(const KeptElement& kept, const Loop& loop) {
    const int64_t width = ElementsOfPiece(kept.type);
    return loop.ahead % width == 0 ? width : 1;
  }

  bool BeginsPieces(const KeptElement& kept, const Loop& loop, int64_t phase) const {
    const auto used = arrays_.find(kept.element.array);
    const int64_t width = WidthOf(kept, loop);
    if (used == arrays_.end() || width == 1) return false;
    const std::optional<int64_t> own = PhaseInRow(kept.element, *used->second.array, loop.iterator, width);
    return own && phase % width == *own;
  }

  // With which most are pieces.
  int64_t BestPhase(const Loop& loop, const std::vector<KeptElement>& stores) const {
    constexpr int64_t kPhases = 4;  // of the smallest elements
    int64_t best = 0, most = 0;
    for (int64_t phase = 0; phase < kPhases; ++phase) {
      const auto begins = [&](const KeptElement& kept) { return BeginsPieces(kept, loop, phase); };
      const int64_t pieces = std::count_if(loop.fetched.begin(), loop.fetched.end(), begins) +
                             std::count_if(stores.begin(), stores.end(), begins);
      if (pieces <= most) continue;
      most = pieces;
      best = phase;
    }
    return best;
  }

  const v1::Scop& scop_;
  std::map<std::string, UsedArray> arrays_;  // of which several elements can be loaded or stored at once
};

}  // namespace

void LoadAndStorePieces(const v1::Scop& scop, const std::vector<DeviceArray>& arrays, DeviceKernel* kernel) {
  PieceLoops(scop, arrays, *kernel).Visit(&kernel->body);
}

}  // namespace tune
