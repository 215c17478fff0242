#include "worker/mapping/band_loops.h"

#include <algorithm>

namespace tune {
namespace {

BandLoop MakeLoop(const KernelBand& band, int member, BandLoop::Kind kind, int64_t size = 0) {
  BandLoop loop;
  loop.kind = kind;
  loop.member = member;
  loop.size = size;
  loop.coincident = band.coincident[member];
  return loop;
}

void MarkParallel(const BandRequest& request, LoopMark& mark) {
  mark.parallel = true;
  mark.threads = request.all_threads ? 0 : request.threads;
}

// Members in their order, each cut where it stands.
std::vector<BandLoop> KeepOrder(const KernelBand& band, const BandRequest& request) {
  std::vector<BandLoop> loops;
  for (int member = 0; member < band.member_count(); ++member) {
    const size_t first = loops.size();
    if (request.tile_sizes[member] > 0) {
      loops.push_back(MakeLoop(band, member, BandLoop::Kind::kTile, request.tile_sizes[member]));
      loops.push_back(MakeLoop(band, member, BandLoop::Kind::kPoint));
    } else {
      loops.push_back(MakeLoop(band, member, BandLoop::Kind::kWhole));
    }
    if (member == request.parallel_member) MarkParallel(request, loops[first].mark);
  }
  return loops;
}

// Parallel loop, other tile loops, then everything that is left.
std::vector<BandLoop> TileOutside(const KernelBand& band, const BandRequest& request) {
  std::vector<BandLoop> outer, inner;
  for (int member = 0; member < band.member_count(); ++member) {
    const bool parallel = member == request.parallel_member;
    const int64_t size = request.tile_sizes[member];
    if (size > 0) inner.push_back(MakeLoop(band, member, BandLoop::Kind::kPoint));
    if (size <= 0 && !parallel) inner.push_back(MakeLoop(band, member, BandLoop::Kind::kWhole));
    if (size <= 0 && !parallel) continue;
    const BandLoop::Kind kind = size > 0 ? BandLoop::Kind::kTile : BandLoop::Kind::kWhole;
    const auto place =
        outer.insert(parallel ? outer.begin() : outer.end(), MakeLoop(band, member, kind, size));
    if (parallel) MarkParallel(request, place->mark);
  }
  outer.insert(outer.end(), inner.begin(), inner.end());
  return outer;
}

// Iterations below which a chunk's own loop would cost something, and chunks of a thread that are enough for
// a machine with more of them.
constexpr int64_t kSmallestChunk = 1024;
constexpr int64_t kMostChunks = 32;

// Chunks of each thread of this device. Where another machine's run time has more of them, each is to have
// some.
int64_t ChunksOfThread(const BandRequest& request, int64_t trips) {
  if (!request.all_threads) return 1;
  return std::clamp<int64_t>(trips / (kSmallestChunk * request.threads), 1, kMostChunks);
}

// The last loop is parallel: `omp parallel for` and an unrolling pragma exclude each other, so the parallel
// loop becomes one over chunks, as `schedule(static)` would make them.
void SeparateParallelFromInnermost(const KernelBand& band, const BandRequest& request,
                                   std::vector<BandLoop>& loops) {
  BandLoop& last = loops.back();
  const int64_t trips = band.trip_counts[last.member];
  if (last.kind != BandLoop::Kind::kWhole || trips <= 0) return;
  BandLoop point = MakeLoop(band, last.member, BandLoop::Kind::kPoint);
  last.kind = BandLoop::Kind::kTile;
  const int64_t chunks = request.threads * ChunksOfThread(request, trips);
  last.size = (trips + chunks - 1) / chunks;
  last.from_minimum = true;
  loops.push_back(point);
}

}  // namespace

std::vector<BandLoop> ArrangeLoops(const KernelBand& band, const BandRequest& asked) {
  BandRequest request = asked;
  if (request.threads <= 1) request.parallel_member = -1;  // a team of one thread is only overhead
  const bool free_order = band.permutable || band.member_count() == 1;
  std::vector<BandLoop> loops = free_order ? TileOutside(band, request) : KeepOrder(band, request);
  if (!band.innermost || loops.empty()) return loops;
  if (request.unroll > 1 && loops.back().mark.parallel) SeparateParallelFromInnermost(band, request, loops);
  BandLoop& last = loops.back();
  last.mark.simd = request.simd && last.coincident;
  if (!last.mark.parallel) last.mark.unroll = std::max<int64_t>(request.unroll, 1);
  return loops;
}

}  // namespace tune
