#include "common/transform/packed_product/packed_product.h"

#include <algorithm>
#include <iterator>

#include "common/decision/offer.h"
#include "common/isl/schedule_node.h"
#include "common/mapping/mark_node.h"
#include "common/mapping/product_mark.h"
#include "common/transform/packed_product/product_loops.h"
#include "common/transform/parallel_loop/parallel_loop.h"

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
constexpr int64_t kSumBlock = 256, kRowBlock = 48, kColumnBlock = 256;

int64_t Parts(int64_t extent, int64_t size) { return (extent + size - 1) / size; }

class PackedProductTransformation : public OpenMpTransformation {
  const char* name() const override { return "packed_product"; }

  static Offer Tiles(const HostKernelSite& site) {
    Offer offer{site.Key("register_tile"), {}, {}};
    for (const RegisterTile& tile : kRegisterTiles) offer.options.push_back(tile.name);
    return offer;
  }

  // A larger block than the first that holds the whole extent makes no difference.
  static NumberOffer Blocks(const std::string& key, const std::vector<int64_t>& sizes, int64_t extent) {
    NumberOffer offer{key, {}, {}};
    for (size_t i = 0; i < sizes.size(); ++i) offer.Add(sizes[i], i == 0 || sizes[i - 1] < extent);
    return offer;
  }

  // Smaller blocks where there would be too few for all threads: first of columns, then of rows, so that what
  // is packed is read as often as can be.
  static ProductBlocks Default(const KernelProduct& product, int threads) {
    ProductBlocks blocks;
    blocks.k_block = kSumBlock;
    blocks.i_block = kRowBlock;
    blocks.j_block = kColumnBlock;
    const auto few = [&] {
      return Parts(product.rows, blocks.i_block) * Parts(product.columns, blocks.j_block) <
             kBlocksOfAThread * threads;
    };
    while (threads > 1 && few() && blocks.j_block > kColumnBlocks.front()) blocks.j_block /= 2;
    while (threads > 1 && few() && blocks.i_block > kRowBlocks.front()) blocks.i_block /= 2;
    return blocks;
  }

  absl::Status Decide(const HostKernelSite& site, Chooser& chooser, HostKernelPlan* plan) const override {
    if (!site.kernel.product) return absl::OkStatus();
    const KernelProduct& product = *site.kernel.product;
    TUNE_ASSIGN_OR_RETURN(const int tile,
                          Ask(chooser, Tiles(site), IsLargeProduct(product) ? kDefaultTile : 0));
    if (tile == 0) return absl::OkStatus();
    const ProductBlocks wanted = Default(product, site.hardware_threads);
    ProductBlocks blocks;
    blocks.tile_rows = kRegisterTiles[tile].rows;
    blocks.tile_vectors = kRegisterTiles[tile].vectors;
    const auto choose = [&](const char* key, const std::vector<int64_t>& sizes, int64_t extent,
                            int64_t standard) {
      const NumberOffer offer = Blocks(site.Key(key), sizes, extent);
      return Ask(chooser, offer, offer.Nearest(standard));
    };
    TUNE_ASSIGN_OR_RETURN(blocks.k_block, choose("k_block", kSumBlocks, product.sums, wanted.k_block));
    TUNE_ASSIGN_OR_RETURN(blocks.i_block, choose("i_block", kRowBlocks, product.rows, wanted.i_block));
    TUNE_ASSIGN_OR_RETURN(blocks.j_block, choose("j_block", kColumnBlocks, product.columns, wanted.j_block));
    plan->Set(PackedProduct{blocks});
    return absl::OkStatus();
  }

  // The loops around the product, its mark, and the plain loops of sum, rows and columns below that.
  std::optional<isl::schedule_node> MapBand(const Kernel& kernel, const HostKernelPlan& plan,
                                            const isl::schedule_node_band& band) const override {
    const std::optional<ProductBlocks>& blocks = plan.Get<PackedProduct>().blocks;
    if (!blocks) return std::nullopt;
    const KernelProduct& product = *kernel.product;
    isl::schedule_node node = WithoutNode(band);
    const auto insert = [&](int member) {
      node = node.insert_partial_schedule(isl::multi_union_pw_aff(band.partial_schedule().at(member)));
      node = node.as<isl::schedule_node_band>().set_permutable(1);
    };
    insert(product.column_member);
    insert(product.row_member);
    insert(product.sum_member);
    const ParallelMember& parallel = plan.Get<ParallelMember>();
    ProductMark mark;
    mark.blocks = *blocks;
    mark.parallel = parallel.member >= 0;
    mark.threads = parallel.all_threads ? 0 : parallel.threads;
    node = InsertMark(node, PrintProductMark(mark));
    for (int member = static_cast<int>(band.n_member()) - 1; member >= 0; --member) {
      if (member != product.column_member && member != product.row_member && member != product.sum_member)
        insert(member);
    }
    return node;
  }

  void Apply(const v1::Scop& scop, const HelperNames&, OpenMpProgram* program) const override {
    FindProductLoops(scop, program);
  }
};

}  // namespace

const OpenMpTransformation& PackedProducts() {
  static const PackedProductTransformation transformation;
  return transformation;
}

bool IsLargeProduct(const KernelProduct& product) {
  return std::min({product.rows, product.columns, product.sums}) >= kSmallestExtent &&
         1.0 * product.rows * product.columns * product.sums >= kSmallestWork;
}

}  // namespace tune
