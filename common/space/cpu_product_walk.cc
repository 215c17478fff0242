#include "common/space/cpu_product_walk.h"

#include <algorithm>
#include <iterator>

#include "common/decision/simple_choices.h"
#include "common/space/cpu_kernel_walk.h"

namespace tune {
namespace {

// Accumulators in registers: 16 of them with AVX, 32 with AVX-512. `fitted`: as many rows as the machine that
// the code is compiled for has registers for.
struct RegisterTile {
  const char* name;
  int rows, vectors;
};
constexpr RegisterTile kRegisterTiles[] = {{"none", 0, 0},  {"4x2", 4, 2},   {"6x2", 6, 2},
                                           {"8x2", 8, 2},   {"4x3", 4, 3},   {"8x3", 8, 3},
                                           {"12x2", 12, 2}, {"14x2", 14, 2}, {"fitted", 0, 2}};
constexpr int kDefaultTile = std::size(kRegisterTiles) - 1;

// What is packed for one block of the sum stays in the second-level cache, a tile's columns in the first.
const std::vector<int64_t> kSumBlocks = {64, 128, 256, 512};
const std::vector<int64_t> kRowBlocks = {24, 48, 96, 192, 384};
const std::vector<int64_t> kColumnBlocks = {64, 128, 256, 512, 1024};

constexpr int64_t kSmallestExtent = 16;
constexpr double kSmallestWork = 100'000;

// Threads take blocks as they get ready: with this many each, none waits long for the last one.
constexpr int64_t kBlocksOfAThread = 4;
// Default blocks where there are enough of them.
constexpr int64_t kRowBlock = 48, kColumnBlock = 256;

int64_t Parts(int64_t extent, int64_t size) { return (extent + size - 1) / size; }

struct Blocks {
  int64_t rows, columns;
};

// Smaller ones where there would be too few for all threads: first of columns, then of rows, so that what is
// packed is read as often as can be.
Blocks DefaultBlocks(const KernelProduct& product, int threads) {
  Blocks blocks = {kRowBlock, kColumnBlock};
  const auto few = [&] {
    return Parts(product.rows, blocks.rows) * Parts(product.columns, blocks.columns) <
           kBlocksOfAThread * threads;
  };
  while (threads > 1 && few() && blocks.columns > kColumnBlocks.front()) blocks.columns /= 2;
  while (threads > 1 && few() && blocks.rows > kRowBlocks.front()) blocks.rows /= 2;
  return blocks;
}

// One of `sizes`, which ascend; a larger one than the first that holds the whole extent makes no difference.
absl::StatusOr<int64_t> ChooseBlock(const std::string& key, const std::vector<int64_t>& sizes, int64_t extent,
                                    int64_t wanted, Chooser& chooser) {
  std::vector<bool> allowed = {true};
  for (size_t i = 1; i < sizes.size(); ++i) allowed.push_back(sizes[i - 1] < extent);
  return ChooseNumber(chooser, key, sizes, allowed, Nearest(sizes, allowed, wanted));
}

}  // namespace

bool IsLargeProduct(const KernelProduct& product) {
  return std::min({product.rows, product.columns, product.sums}) >= kSmallestExtent &&
         1.0 * product.rows * product.columns * product.sums >= kSmallestWork;
}

absl::StatusOr<CpuKernelPlan> WalkCpuProduct(const Kernel& kernel, const CpuSpaceOptions& options,
                                             Chooser& chooser) {
  const KernelProduct& product = *kernel.product;
  std::vector<std::string> names;
  for (const RegisterTile& tile : kRegisterTiles) names.push_back(tile.name);
  TUNE_ASSIGN_OR_RETURN(const int tile, ChooseOption(chooser, absl::StrCat(kernel.name, ".register_tile"),
                                                     names, IsLargeProduct(product) ? kDefaultTile : 0));
  if (tile == 0) return WalkCpuKernel(kernel, /*written=*/true, options, chooser);

  CpuKernelPlan plan;
  plan.name = kernel.name;
  for (const KernelBand& band : kernel.bands)
    plan.bands.push_back({std::vector<int64_t>(band.member_count(), 0)});
  ProductBlocks blocks;
  blocks.tile_rows = kRegisterTiles[tile].rows;
  blocks.tile_vectors = kRegisterTiles[tile].vectors;
  const Blocks wanted = DefaultBlocks(product, options.hardware_threads);
  TUNE_ASSIGN_OR_RETURN(blocks.k_block, ChooseBlock(absl::StrCat(kernel.name, ".k_block"), kSumBlocks,
                                                    product.sums, 256, chooser));
  TUNE_ASSIGN_OR_RETURN(blocks.i_block, ChooseBlock(absl::StrCat(kernel.name, ".i_block"), kRowBlocks,
                                                    product.rows, wanted.rows, chooser));
  TUNE_ASSIGN_OR_RETURN(blocks.j_block, ChooseBlock(absl::StrCat(kernel.name, ".j_block"), kColumnBlocks,
                                                    product.columns, wanted.columns, chooser));
  plan.product = blocks;
  TUNE_RETURN_IF_ERROR(ChooseCpuParallel(kernel, options, /*first_only=*/true, plan, chooser));
  return plan;
}

}  // namespace tune
