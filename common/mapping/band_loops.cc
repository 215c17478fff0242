#include "common/mapping/band_loops.h"

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

// What the member's iterations need to be independent of one another.
PrivateVariables PrivatesOf(const KernelBand& band, int member) {
  return band.privates.empty() ? PrivateVariables() : band.privates[member];
}

void MarkParallel(const KernelBand& band, const BandRequest& request, LoopMark& mark) {
  const PrivateVariables privates = PrivatesOf(band, request.parallel_member);
  mark.local = privates.local;
  mark.last = privates.last;
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
    if (member == request.parallel_member) MarkParallel(band, request, loops[first].mark);
  }
  return loops;
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

// One loop over chunks of all the member's iterations, as `schedule(static)` would make them.
int64_t ChunkSize(const BandRequest& request, int64_t trips) {
  const int64_t chunks = request.threads * ChunksOfThread(request, trips);
  return (trips + chunks - 1) / chunks;
}

// A parallel loop over the innermost member would leave the order of memory to the loops outside of it: it is
// one over chunks then, and its points stay inside.
bool IsChunked(const KernelBand& band, const BandRequest& request, int member) {
  return member == request.parallel_member && request.tile_sizes[member] <= 0 && band.innermost &&
         member > 0 && member + 1 == band.member_count() && band.trip_counts[member] > 0;
}

// Parallel loop, other tile loops, then everything that is left.
std::vector<BandLoop> TileOutside(const KernelBand& band, const BandRequest& request) {
  std::vector<BandLoop> outer, inner;
  for (int member = 0; member < band.member_count(); ++member) {
    const bool parallel = member == request.parallel_member;
    const bool chunked = IsChunked(band, request, member);
    const int64_t size = chunked ? ChunkSize(request, band.trip_counts[member]) : request.tile_sizes[member];
    if (size > 0) inner.push_back(MakeLoop(band, member, BandLoop::Kind::kPoint));
    if (size <= 0 && !parallel) inner.push_back(MakeLoop(band, member, BandLoop::Kind::kWhole));
    if (size <= 0 && !parallel) continue;
    const BandLoop::Kind kind = size > 0 ? BandLoop::Kind::kTile : BandLoop::Kind::kWhole;
    const auto place =
        outer.insert(parallel ? outer.begin() : outer.end(), MakeLoop(band, member, kind, size));
    place->from_minimum = chunked;
    if (parallel) MarkParallel(band, request, place->mark);
  }
  outer.insert(outer.end(), inner.begin(), inner.end());
  return outer;
}

// The last loop is parallel: `omp parallel for` and an unrolling pragma exclude each other, so the parallel
// loop becomes one over chunks.
void SeparateParallelFromInnermost(const KernelBand& band, const BandRequest& request,
                                   std::vector<BandLoop>& loops) {
  BandLoop& last = loops.back();
  const int64_t trips = band.trip_counts[last.member];
  if (last.kind != BandLoop::Kind::kWhole || trips <= 0) return;
  BandLoop point = MakeLoop(band, last.member, BandLoop::Kind::kPoint);
  last.kind = BandLoop::Kind::kTile;
  last.size = ChunkSize(request, trips);
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
  const PrivateVariables privates = PrivatesOf(band, last.member);
  // Only OpenMP's own form of vectorising takes private variables, and that excludes unrolling.
  if (!privates.empty() && request.unroll > 1 && !last.mark.parallel) last.mark.simd = false;
  if (last.mark.simd) {
    last.mark.local = privates.local;
    last.mark.last = privates.last;
  }
  if (!last.mark.parallel) last.mark.unroll = std::max<int64_t>(request.unroll, 1);
  return loops;
}

}  // namespace tune
