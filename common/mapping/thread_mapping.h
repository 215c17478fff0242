// Which threads of a launch run which iterations of a kernel.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tune {

// A member of a kernel's root band that blocks and threads share out: a coincident one, or that of the
// kernel's reduction. A block runs `tile` consecutive values of the member, which its `block` threads take in
// turns, `piece` consecutive ones at a time: one, so that thread t runs those that are t modulo `block`, up
// to all that it has. Blocks that share a reduction add up by atomic operations.
// Of a reduction's pieces a thread has as many as there are, and the values of one are points.
struct CudaAxis {
  int member = 0;
  int64_t tile = 1;   // 0, for a reduction: all values
  int64_t block = 1;  // divides tile
  bool reduction = false;
  int64_t piece = 1;  // divides tile / block where there is a tile
  bool operator==(const CudaAxis&) const = default;
  // Whether a thread has several values, which are points of its tile.
  bool HasPoints() const { return !reduction && tile > block; }
  int64_t Points() const { return HasPoints() ? tile / block : 1; }
  // Whether blocks have values of their own; else each runs all, for which there is one.
  bool HasBlocks() const { return tile > 0; }
  // Whether several blocks share a reduction.
  bool IsSplit() const { return reduction && HasBlocks(); }
};

struct ThreadMapping {
  std::vector<CudaAxis> axes;  // at most three, the last is x. None: one thread
  // Threads of a block for each one that runs instances. The others, along an axis of their own after those
  // of `axes`, only help.
  int64_t per_runner = 1;

  // Whether every thread of a block has its own values of the member, and no loop over it but for its points.
  bool IsMapped(int member) const {
    return std::any_of(axes.begin(), axes.end(),
                       [&](const CudaAxis& axis) { return axis.member == member && !axis.reduction; });
  }
  bool HasHelpers() const { return per_runner > 1; }
  bool IsOneThread() const { return axes.empty() && !HasHelpers(); }
  // x is axis 0.
  const CudaAxis& Axis(size_t axis) const { return axes[axes.size() - 1 - axis]; }
  CudaAxis& Axis(size_t axis) { return axes[axes.size() - 1 - axis]; }
  // Of a block.
  int64_t Threads() const {
    int64_t threads = per_runner;
    for (const CudaAxis& axis : axes) threads *= axis.block;
    return threads;
  }
  // Points of a thread.
  int64_t Points() const {
    int64_t points = 1;
    for (const CudaAxis& axis : axes) points *= axis.Points();
    return points;
  }
  // Threads of a block that share out the iterations of a reduction; 1: there is none.
  int64_t ReductionThreads() const {
    int64_t threads = 1;
    for (const CudaAxis& axis : axes) threads *= axis.reduction ? axis.block : 1;
    return threads;
  }
  // Consecutive values of the member that a thread has at a time, where it is a reduction's; else 1.
  int64_t PieceOfReduction(int reduced) const {
    for (const CudaAxis& axis : axes) {
      if (axis.reduction && axis.member == reduced) return axis.piece;
    }
    return 1;
  }
  bool HasReduction() const {
    return std::any_of(axes.begin(), axes.end(), [](const CudaAxis& axis) { return axis.reduction; });
  }
  bool HasSplitReduction() const {
    return std::any_of(axes.begin(), axes.end(), [](const CudaAxis& axis) { return axis.IsSplit(); });
  }
};

}  // namespace tune
