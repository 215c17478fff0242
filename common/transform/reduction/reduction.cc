#include "common/transform/reduction/reduction.h"

#include <algorithm>

#include "common/decision/offer.h"
#include "common/mapping/cuda_limits.h"
#include "common/program/neighbour_access.h"
#include "common/transform/large_sweep.h"
#include "common/transform/reduction/reduction_tree.h"

namespace tune {
namespace {

constexpr size_t kMostMappedAxes = 2;
constexpr int64_t kLeastOfBlock = 8;  // iterations
const std::vector<int64_t> kReductionBlocks = {1, 2, 4, 8, 16, 32, 64, 128, 256};

enum Place { kSerial, kX, kY };

// Who shares the iterations of a reduction.
struct Shares {
  int64_t threads = 1;  // of a block
  int64_t blocks = 1;
};

// What is legal.
class ReductionOffer {
 public:
  explicit ReductionOffer(const KernelSite& site) : site_(site) {}

  bool Any() const {
    return !site_.exact && site_.kernel.reduction && site_.threads().axes.size() <= kMostMappedAxes;
  }
  Offer Places() const {
    return {site_.Key("reduction"), {"serial", "x", "y"}, {true, true, !site_.threads().axes.empty()}};
  }
  bool AnyBlocks() const { return BlocksCanAdd(site_.kernel, site_.device) && trips_ >= 2 * kLeastOfBlock; }
  NumberOffer Blocks() const {
    NumberOffer offer{site_.Key("reduction_blocks"), {}, {}};
    for (const int64_t blocks : kReductionBlocks)
      offer.Add(blocks, blocks == 1 || blocks * kLeastOfBlock <= trips_);
    return offer;
  }
  // Along x.
  NumberOffer Pieces(int64_t threads) const {
    NumberOffer offer{site_.Key("reduction_piece"), {}, {}};
    for (int64_t piece = 1; piece <= kMostOfPiece; piece *= 2)
      offer.Add(piece, piece == 1 || trips_ < 0 || piece * threads <= trips_);
    return offer;
  }
  // Along y, blocks may share it and their threads not.
  NumberOffer Threads(Place place, int64_t blocks) const {
    NumberOffer offer{site_.Key(absl::StrCat("block_size_", site_.kernel.reduction->member)), {}, {}};
    const int64_t smallest = place == kX ? 8 : 2;
    for (int64_t size = place == kX ? smallest : 1; size <= (place == kX ? 1024 : 64); size *= 2)
      offer.Add(size, size <= site_.ThreadsLeft() && (size < smallest ? blocks > 1 : true) &&
                          (size <= smallest || trips_ < 0 || size <= trips_));
    return offer;
  }

 private:
  const KernelSite& site_;
  const int64_t trips_ = site_.kernel.reduction ? site_.TripCount(site_.kernel.reduction->member) : 0;
};

// What is best.
class ReductionDefault {
 public:
  explicit ReductionDefault(const KernelSite& site) : site_(site) {}

  Place Where() const {
    if (IsStepOfTile() && !site_.threads().axes.empty()) return kX;
    if (Instances() >= (IsProduct() ? site_.EnoughInstances() / 4 : site_.EnoughInstances())) return kSerial;
    if (trips_ >= 0 && trips_ < kShortestLoop) return kSerial;
    return site_.threads().axes.empty() || site_.kernel.reduction->contiguous ? kX : kY;
  }

  // Along y blocks with few threads each where these alone are no fewer: they are spread more evenly, and a
  // block leaves room for a whole warp along x.
  Shares Of(Place place) const {
    const int64_t columns = place == kY ? ColumnsOfThread(site_) : 1;
    const auto with = [&](int64_t threads) { return Shares{threads, Blocks(threads, columns)}; };
    const Shares wide = with(WithEnoughPieces(Threads(place)));
    const Shares narrow = with(kFewThreads);
    const bool spread = place == kY && narrow.threads * narrow.blocks >= wide.threads * wide.blocks;
    return spread ? narrow : wide;
  }

  // As many elements as a load has, where consecutive iterations read consecutive ones, all pieces are whole,
  // and every thread has several.
  int64_t Piece(int64_t threads) const {
    const int64_t bytes = site_.kernel.constant_bytes;
    if (!site_.kernel.reduction->contiguous || bytes == 0) return 1;
    const int64_t piece = std::min(std::max<int64_t>(kMostBytesOfLoad / bytes, 1), kMostOfPiece);
    const bool many = trips_ >= kPiecesOfThread * piece * threads;
    return many && site_.kernel.reduction->whole_pieces % piece == 0 ? piece : 1;
  }

 private:
  // Of all combinations of values of the mapped members, in all tiles of a launch.
  double Instances() const {
    const int64_t tiles = site_.kernel.tile_loops.count == 0 ? 1 : site_.kernel.tile_loops.tiles;
    return site_.MappedInstances() * static_cast<double>(std::max<int64_t>(1, tiles));
  }

  // Whether a block can hold what it adds up in tiles of shared memory, each element of which serves many
  // sums: these keep a thread busy, so that fewer of them are enough (H200, a product of 711 x 2361 and 2361
  // x 75 floats: 215 us where 32 threads share each sum, 99 by one thread each).
  bool IsProduct() const {
    return site_.CanKeepTiles() && site_.threads().axes.size() > 1 && site_.kernel.constant_references > 1;
  }

  static constexpr int64_t kPiecesOfThread = 4;
  // With fewer the half of the threads is faster: 2200 floats of each of 1800 rows by 128 threads, then sums
  // of columns, 9.7 us on an H200, by 64 threads 9.0, by 32 9.3.
  static constexpr int64_t kEnoughPieces = 6;
  static constexpr int64_t kShortestLoop = 64;  // that is worth sharing out
  // A thread has so many iterations of a reduction that blocks share.
  static constexpr int64_t kIterationsOfThread = 8;
  static constexpr int64_t kFewThreads = 8;  // of a block along y
  // Barriers of more threads are slower, but each runs fewer terms one after the other (H200, nussinov of
  // 5500 integers, steps of at most 32 sums: 256, 512 and 1024 threads 10.8, 10.3 and 9.0 ms).
  static constexpr int64_t kThreadsOfStep = 1024;

  // Whether a block runs its sums step after step of loops in its tile.
  bool IsStepOfTile() const {
    const TileLoops& tiles = site_.kernel.tile_loops;
    return tiles.count > 0 && site_.kernel.host_depth > tiles.first + tiles.count;
  }

  // Of a block: as many as fill the device, at least a warp along x, where there are iterations for all.
  int64_t Threads(Place place) const {
    const bool is_step = IsStepOfTile();
    const double wanted =
        is_step ? kThreadsOfStep / site_.MappedInstances() : site_.device.Threads() / Instances();
    const int64_t most = site_.threads().axes.empty() ? 1024 : place == kX ? 256 : 64;
    int64_t threads = place == kX && !is_step ? 32 : kFewThreads;
    while (threads < most && 2.0 * static_cast<double>(threads) <= wanted &&
           (trips_ < 0 || 4 * threads <= trips_)) {
      threads *= 2;
    }
    return threads;
  }

  // Half of the threads along a row where each has few pieces of it.
  int64_t WithEnoughPieces(int64_t threads) const {
    const int64_t piece = Piece(threads);
    const bool few = piece > 1 && threads > kWarp && trips_ < kEnoughPieces * piece * threads;
    return few && !site_.threads().axes.empty() ? threads / 2 : threads;
  }

  // As many as fill the device, where each gets enough to do. `columns`: sums of a thread.
  int64_t Blocks(int64_t threads, int64_t columns) const {
    if (!BlocksCanAdd(site_.kernel, site_.device)) return 1;
    const double instances = site_.MappedInstances() / static_cast<double>(columns);
    const double wanted = site_.device.Threads() / (instances * static_cast<double>(threads));
    int64_t blocks = 1;
    while (2.0 * static_cast<double>(blocks) <= wanted &&
           2 * blocks * threads * kIterationsOfThread <= trips_)
      blocks *= 2;
    return std::min(blocks, kReductionBlocks.back());
  }

  const KernelSite& site_;
  const int64_t trips_ = site_.TripCount(site_.kernel.reduction->member);
};

// The least multiple of `threads` that makes no more than `blocks` blocks; 0 for one block. `threads`: of a
// block, times the iterations of a piece.
int64_t IterationsOfBlock(int64_t trip_count, int64_t blocks, int64_t threads) {
  if (blocks == 1) return 0;
  return (trip_count + blocks * threads - 1) / (blocks * threads) * threads;
}

class ReductionTransformation : public CudaTransformation {
  const char* name() const override { return "reduction"; }

  std::optional<isl::schedule> MakeTree(const BlockOfKernel& block, const isl::schedule_node& band,
                                        LocalMemory* memory) const override {
    if (!block.plan->threads.HasReduction()) return std::nullopt;
    return MakeReductionTree(block, band, memory);
  }

  absl::Status Decide(const KernelSite& site, Chooser& chooser, KernelPlan* plan) const override {
    const ReductionOffer offer(site);
    if (!offer.Any()) return absl::OkStatus();
    const ReductionDefault standard(site);
    TUNE_ASSIGN_OR_RETURN(const int chosen, Ask(chooser, offer.Places(), standard.Where()));
    const Place place = static_cast<Place>(chosen);
    if (place == kSerial) return absl::OkStatus();
    const Shares wanted = standard.Of(place);
    int64_t blocks = 1;
    if (offer.AnyBlocks()) {
      TUNE_ASSIGN_OR_RETURN(blocks, Ask(chooser, offer.Blocks(), wanted.blocks));
    }
    const NumberOffer sizes = offer.Threads(place, blocks);
    TUNE_ASSIGN_OR_RETURN(const int64_t threads, Ask(chooser, sizes, sizes.Nearest(wanted.threads)));
    const int member = site.kernel.reduction->member;
    int64_t piece = 1;
    if (place == kX) {
      const NumberOffer pieces = offer.Pieces(threads);
      TUNE_ASSIGN_OR_RETURN(piece, Ask(chooser, pieces, pieces.Nearest(standard.Piece(threads))));
    }
    const CudaAxis axis{member, IterationsOfBlock(site.TripCount(member), blocks, piece * threads), threads,
                        /*reduction=*/true, piece};
    std::vector<CudaAxis>& axes = plan->threads.axes;
    axes.insert(place == kX ? axes.end() : axes.end() - 1, axis);
    return absl::OkStatus();
  }
};

}  // namespace

bool BlocksCanAdd(const Kernel& kernel, const DeviceFacts& device) {
  return kernel.reduction && kernel.reduction->atomic && kernel.tile_loops.count == 0 &&
         (!kernel.reduction->adds_doubles || device.HasAtomicAddOfDoubles());
}

int64_t ColumnsOfThread(const KernelSite& site) {
  constexpr int64_t kColumns = 4;
  const KernelReduction& reduction = *site.kernel.reduction;
  const int64_t bytes = site.kernel.constant_bytes;
  if (reduction.contiguous || reduction.along.empty() || kColumns * bytes != kMostBytesOfLoad) return 1;
  if (!BlocksCanAdd(site.kernel, site.device) || !SweepsOverMuch(site.kernel, site.device)) return 1;
  const int64_t trip_count = site.TripCount(site.threads().axes.back().member);
  return trip_count >= kColumns * kWarp && trip_count % kColumns == 0 ? kColumns : 1;
}

const CudaTransformation& ReductionSharing() {
  static const ReductionTransformation transformation;
  return transformation;
}

}  // namespace tune
