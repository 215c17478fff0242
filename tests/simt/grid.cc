#include "tests/simt/grid.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "tests/simt/resident_blocks.h"

namespace tune::simt {
namespace {

// A random order of the blocks that needs no memory: steps of one length around the grid.
class BlockOrder {
 public:
  BlockOrder(const Extents& grid, Random& random) : grid_(grid), count_(Count(grid)) {
    first_ = random.Below(count_);
    do step_ = 1 + random.Below(count_);
    while (std::gcd(step_, count_) != 1);
  }
  uint64_t count() const { return count_; }
  Extents Index(uint64_t number) const {
    const auto linear =
        static_cast<uint64_t>((static_cast<unsigned __int128>(number) * step_ + first_) % count_);
    return IndexIn(grid_, linear);
  }

 private:
  Extents grid_;
  uint64_t count_, first_, step_;
};

}  // namespace

Grid::Grid(Shadow* shadow, simt_interface* text)
    : shadow_(shadow), text_(text), block_(shadow, text, &fibers_, 0) {}

bool Grid::Run(const GridLaunch& launch, Random& random) {
  std::copy(launch.block.begin(), launch.block.end(), text_->indices + 6);
  std::copy(launch.grid.begin(), launch.grid.end(), text_->indices + 9);
  if (!launch.cooperative || Count(launch.grid) == 1) return RunOneByOne(launch, random);
  blocks_ += static_cast<int64_t>(Count(launch.grid));
  ResidentBlocks blocks(shadow_, text_, &launch);
  const bool good = blocks.Run(random, &fault_);
  accesses_ += blocks.accesses();
  barriers_ += blocks.barriers();
  return good;
}

bool Grid::RunOneByOne(const GridLaunch& launch, Random& random) {
  const BlockOrder order(launch.grid, random);
  fibers_.Reserve(static_cast<int>(Count(launch.block)));
  // One block alone passes a grid barrier like any other of its own.
  block_.BeginLaunch(*launch.kernel, launch.arguments, launch.block, order.count() == 1);
  for (uint64_t number = 0; number < order.count(); ++number) {
    ++blocks_;
    if (RunBlock(launch, order.Index(number), random)) continue;
    fault_ = {block_.violation(), block_.index(), {}};
    if (fault_.violation.with == Shadow::Fault::With::kBlock)
      fault_.other_block = order.Index(fault_.violation.number);
    return false;
  }
  return true;
}

bool Grid::RunBlock(const GridLaunch& launch, const Extents& index, Random& random) {
  shadow_->BeginBlock();
  for (const GridLaunch::Bytes& bytes : launch.shared)
    std::memset(bytes.begin, GridLaunch::kPoison, bytes.bytes);
  block_.Begin(index);
  for (;;) {
    const Block::Stop stop = block_.Advance(random);
    if (stop == Block::Stop::kEnded) return true;
    if (stop == Block::Stop::kFault) return false;
    shadow_->Barrier();
  }
}

}  // namespace tune::simt
