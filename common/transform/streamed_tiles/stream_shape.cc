#include "common/transform/streamed_tiles/stream_shape.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "common/array/element_type.h"
#include "common/mapping/cuda_limits.h"

namespace tune {
namespace {

// Of rows that are lines: rows of a tile, halos included, which are chosen anew, and threads of a block, of
// which each has an element of a row.
constexpr int64_t kRowsOfTile = 80, kColumnsOfTile = 256;
// Of rows that are planes: what is looked at.
constexpr int64_t kMostThreads = 1024, kMostColumns = 256, kMostColumnTiles = 16, kMostStepsOfStream = 4;
constexpr int64_t kLeastColumns = 64;  // of several tiles: memory is read by lines
constexpr int64_t kPoints[] = {1, 2, 4, 8};
// Rows of which a tile is, at most, by waves of blocks that the device runs at once.
constexpr int64_t kMostWaves = 4;

// What a thread needs beside the elements that it keeps, and each of its points: addresses, conditions, what
// is being computed. In registers of 32 bits.
constexpr int64_t kRegistersOfThread = 26, kRegistersOfPoint = 4;
// Elements that threads keep, of 32 bits: common/transform/launches/block_arrays.h has room for so many.
constexpr int64_t kMostWords = 96;
// What an iteration takes however little is computed in it, in warps' points.
constexpr double kIdle = 24;

int64_t Quotient(int64_t value, int64_t by) { return (value + by - 1) / by; }
int64_t RoundedUp(int64_t value, int64_t to) { return to * Quotient(value, to); }

class StreamShapeChoice {
 public:
  StreamShapeChoice(const StencilLoop& loop, const ParsedScop& scop, const StreamPlan& plan,
                    const DeviceFacts& device, TileShapes* shapes)
      : loop_(loop), scop_(scop), plan_(plan), device_(device), shapes_(*shapes) {}

  std::optional<StreamShape> OfLines() {
    const std::optional<TileShape> tile = LongestTiles({kRowsOfTile, kColumnsOfTile}, loop_, &shapes_);
    if (!tile) return std::nullopt;
    StreamShape shape;
    shape.tile = *tile;
    Consider(shape);
    return best_ ? best_ : shape;
  }

  std::optional<StreamShape> OfPlanes() {
    for (int64_t steps = shapes_.JoinsStatements() ? 1 : 2; steps <= kMostStepsOfStream; steps *= 2) {
      if (2 * steps > loop_.last - loop_.first + 1) break;
      for (int64_t tiles = 1; tiles <= kMostColumnTiles; ++tiles) ConsiderColumns(steps, tiles);
    }
    return best_;
  }

 private:
  // Halos included; 0: there are none that would fit.
  int64_t ExtentOf(int64_t steps, int dimension, int64_t tiles) {
    if (tiles == 1) return shapes_.WholeExtent(dimension);
    const Halo margin = shapes_.Margin(steps);
    return Quotient(shapes_.Elements(dimension), tiles) + margin.before[dimension] + margin.after[dimension];
  }

  // With so many tiles along the innermost dimension.
  void ConsiderColumns(int64_t steps, int64_t tiles) {
    const int64_t columns = ExtentOf(steps, 2, tiles);
    if (columns > kMostColumns || (tiles > 1 && columns < kLeastColumns)) return;
    for (const int64_t points : kPoints) {
      for (int64_t lines = 1; lines * columns <= kMostThreads; ++lines) {
        StreamShape shape;
        shape.points = points;
        shape.ahead = 2;
        const std::optional<TileShape> tile =
            shapes_.Of(steps, {RowsWithMargin(steps, kRowsOfTile), lines * points, columns});
        if (!tile) continue;
        shape.tile = *tile;
        Consider(shape);
      }
    }
  }

  // As many as are asked for, and so many that the margin is a quarter.
  int64_t RowsWithMargin(int64_t steps, int64_t rows) {
    const Halo margin = shapes_.Margin(steps);
    return std::max(rows, 4 * (margin.before[0] + margin.after[0]));
  }

  int64_t BytesOf(const StreamedArray& array) const {
    return static_cast<int64_t>(ElementSize(scop_.array(array.name).element_type()));
  }

  // Of the thread's elements that are kept.
  int64_t Words(const StreamShape& shape) const {
    int64_t bytes = 0;
    for (const StreamedArray& array : plan_.arrays)
      bytes += BytesOf(array) *
               (KeptVersions(array, shape.tile.steps) * array.ages + (array.first ? shape.ahead : 0));
    return bytes * shape.points / 4;
  }

  int64_t SharedBytes(const TileShape& tile) const {
    int64_t bytes = 0;
    for (const StreamedArray& array : plan_.arrays) {
      int64_t elements = KeptVersions(array, tile.steps) * array.rows;
      for (int i = 1; i < loop_.dimensions; ++i) elements *= tile.extents[i] + ReadBeside(tile, i);
      bytes += BytesOf(array) * elements;
    }
    return bytes;
  }
  static int64_t ReadBeside(const TileShape& tile, int dimension) {
    int64_t before = 0, after = 0;
    for (const Halo& read : tile.reads) {
      before = std::max(before, read.before[dimension]);
      after = std::max(after, read.after[dimension]);
    }
    return before + after;
  }

  // That a thread has, as the compiler gives them.
  int64_t Registers(const StreamShape& shape) const {
    return RoundedUp(Words(shape) + kRegistersOfPoint * shape.points + kRegistersOfThread, 8);
  }

  // Blocks that a multiprocessor holds at once; 0: it has no room for one.
  int64_t BlocksAtOnce(const StreamShape& shape, int64_t threads) const {
    constexpr int64_t kMostRegisters = 255;
    const int64_t registers = Registers(shape);
    const int64_t shared = SharedBytes(shape.tile);
    if (registers > kMostRegisters || Words(shape) > kMostWords || shared > device_.shared_bytes_per_block)
      return 0;
    const int64_t warps = Quotient(threads, kWarp);
    return std::min(
        {device_.registers_per_multiprocessor / (warps * kWarp * registers),
         device_.max_threads_per_multiprocessor / (warps * kWarp),
         static_cast<int64_t>(device_.max_blocks_per_multiprocessor),
         device_.shared_bytes_per_multiprocessor / (shared + device_.reserved_shared_bytes_per_block)});
  }

  // Of tiles of such rows, the best number of them.
  void Consider(const StreamShape& shape) {
    int64_t threads = 1, beside = 1;  // of a block; and tiles of the same rows
    for (int i = 1; i < loop_.dimensions; ++i) {
      threads *= shape.tile.extents[i] / (i == 1 ? shape.points : 1);
      beside *= shape.tile.count[i];
    }
    const int64_t blocks = BlocksAtOnce(shape, threads);
    const double work = static_cast<double>(blocks * Quotient(threads, kWarp) * shape.points);
    int64_t last = 0;
    for (int64_t waves = 1; blocks > 0 && waves <= kMostWaves; ++waves) {
      const int64_t tiles = waves * blocks * device_.multiprocessors / beside;
      if (tiles == 0) continue;
      const Halo margin = shapes_.Margin(shape.tile.steps);
      const int64_t rows = RowsWithMargin(
          shape.tile.steps, Quotient(shapes_.Elements(0), tiles) + margin.before[0] + margin.after[0]);
      if (rows == last) break;
      last = rows;
      std::vector<int64_t> extents = shape.tile.extents;
      extents[0] = rows;
      const std::optional<TileShape> tile = shapes_.Of(shape.tile.steps, extents);
      if (!tile || tile->count[0] * beside < 2) continue;
      const double turns = std::ceil(static_cast<double>(tile->count[0] * beside) /
                                     static_cast<double>(blocks * device_.multiprocessors));
      const double time = turns * static_cast<double>(IterationsOf(*tile, plan_)) *
                          (kIdle + work * static_cast<double>(tile->steps)) /
                          static_cast<double>(tile->steps);
      if (best_ && time >= best_time_) continue;
      best_ = shape;
      best_->tile = *tile;
      best_->registers = Registers(shape);
      best_->blocks = blocks * device_.multiprocessors;
      best_time_ = time;
    }
  }

  const StencilLoop& loop_;
  const ParsedScop& scop_;
  const StreamPlan& plan_;
  const DeviceFacts& device_;
  TileShapes& shapes_;
  std::optional<StreamShape> best_;
  double best_time_ = HUGE_VAL;  // of a step
};

}  // namespace

int64_t IterationsOf(const TileShape& tile, const StreamPlan& plan) {
  int64_t lag = 0;
  for (const StreamedArray& array : plan.arrays) lag = std::max(lag, array.lag);
  return tile.size[0] + tile.margin.before[0] + tile.steps * plan.lag + lag;
}

int64_t FirstKept(const StreamedArray& array) { return array.first ? 0 : 1; }

int64_t KeptVersions(const StreamedArray& array, int64_t steps) {
  return (array.last ? steps : steps - 1) - FirstKept(array) + 1;
}

std::optional<StreamShape> ChooseStreamShape(const StencilLoop& loop, const ParsedScop& scop,
                                             const StreamPlan& plan, const DeviceFacts& device,
                                             TileShapes* shapes) {
  StreamShapeChoice choice(loop, scop, plan, device, shapes);
  if (loop.dimensions == 2) return choice.OfLines();
  return loop.dimensions == 3 ? choice.OfPlanes() : std::nullopt;
}

}  // namespace tune
