#include "worker/lower/kernel_lowering.h"

#include "common/isl/dimensions.h"
#include "common/isl/spaces.h"
#include "common/program/index_range.h"
#include "worker/lower/ast_lowering.h"
#include "worker/lower/block_ast.h"
#include "worker/lower/instance_lowering.h"

namespace tune {
namespace {

class KernelLowering : public AstLowering {
 public:
  KernelLowering(const BlockAst& ast, const MappedKernel& kernel, const std::vector<DeviceArray>& arrays,
                 const isl::set& values)
      : AstLowering({}, ast.exclusions), ast_(ast), kernel_(kernel), arrays_(arrays), values_(values) {}

 private:
  Block LowerUser(const isl::ast_node_user& node) override {
    const StatementInstance& instance = ast_.instance(node);
    if (instance.copy == nullptr) return {{LowerInstance(instance, expressions())}};
    switch (instance.copy->kind) {
      case CopyStatement::Kind::kFillShared:
        return {{LowerFill(instance)}};
      case CopyStatement::Kind::kCombine:
        return Combine(instance);
      default:
        return {{LowerCopy(instance)}};
    }
  }

  Transfer LowerCopy(const StatementInstance& instance) const {
    const CopyStatement& copy = *instance.copy;
    const LocalTile& tile = kernel_.memory.tiles[copy.tile];
    ElementAccess element = expressions().LowerAccess(instance.accesses[0]);
    ElementAccess local = expressions().LowerAccess(instance.accesses[1]);
    Transfer transfer;
    transfer.type = FindArray(tile.array).type;
    transfer.origin = LowerOrigin(instance, expressions());
    if (copy.kind == CopyStatement::Kind::kLoad) {
      transfer.to = std::move(local);
      transfer.from = std::move(element);
      return transfer;
    }
    transfer.to = std::move(element);
    transfer.from = std::move(local);
    if (copy.kind == CopyStatement::Kind::kAccumulate) {
      transfer.update = tile.combined_by;
      transfer.atomic = copy.atomic;
    }
    return transfer;
  }

  Block Combine(const StatementInstance& instance) const {
    Block block;
    for (const LocalTile& tile : kernel_.memory.tiles) {
      if (tile.combined_by != v1::NONE)
        block.push_back(
            {BlockReduction{tile.name, kernel_.reduction_axis, LowerOrigin(instance, expressions())}});
    }
    return block;
  }

  Fill LowerFill(const StatementInstance& instance) const {
    Fill fill;
    fill.zero_outside = kernel_.memory.padded;
    fill.threads = kernel_.ThreadCount();
    fill.origin = LowerOrigin(instance, expressions());
    size_t next = 0;
    for (const LocalTile& tile : kernel_.memory.tiles) {
      if (!tile.shared) continue;
      fill.tiles.push_back(LowerTileFill(tile, instance.accesses[next], instance.copy->places[next]));
      ++next;
    }
    return fill;
  }

  // `first` and `place`: where the tile begins in the array.
  TileFill LowerTileFill(const LocalTile& tile, const isl::ast_expr& first,
                         const isl::pw_multi_aff& place) const {
    TileFill fill;
    fill.to.array = tile.name;
    fill.first = expressions().LowerAccess(first).subscripts;
    const isl::set starts =  // { A[first element] }
        place.as_map().range().intersect_params(values_);
    const DeviceArray& array = FindArray(tile.array);
    for (size_t i = 0; i < tile.extents.size(); ++i) {
      const isl::val least = starts.dim_min_val(i);
      const isl::val most = starts.dim_max_val(i);
      const int64_t extent = tile.extents[OtherDimensionOf(i, tile.extents.size(), tile.transposed)];
      const isl::val end(least.ctx(), static_cast<long>(array.extents[i] - extent));
      fill.before.push_back(!least.is_int() || least.is_neg());
      fill.behind.push_back(!array.extent_names.empty() || !most.is_int() || most.gt(end));
    }
    return fill;
  }

  const DeviceArray& FindArray(const std::string& name) const {
    for (const DeviceArray& array : arrays_) {
      if (array.scop_name == name) return array;
    }
    throw isl::exception("code generation: a tile of an array that the scop does not have");
  }

  const BlockAst& ast_;
  const MappedKernel& kernel_;
  const std::vector<DeviceArray>& arrays_;
  const isl::set values_;  // what is known of the parameters
};

std::vector<Tile> LowerTiles(const LocalMemory& memory, const ParsedScop& scop) {
  std::vector<Tile> tiles;
  for (const LocalTile& tile : memory.tiles) {
    Tile lowered;
    lowered.name = tile.name;
    lowered.array = tile.array;
    lowered.type = scop.array(tile.array).element_type();
    lowered.extents = tile.extents;
    lowered.row_length = tile.row_length;
    lowered.shared = tile.shared;
    lowered.transposed = tile.transposed;
    lowered.zeroed = memory.padded && !tile.shared;
    lowered.combined_by = tile.combined_by;
    tiles.push_back(std::move(lowered));
  }
  return tiles;
}

// Of the parameters that the block mentions; none of one that has no bounds. `context`: what is true of them.
IndexRanges RangesOfParameters(const isl::set& context, const Block& block) {
  std::set<std::string> names;
  CollectNames(block, &names);
  const isl::set nowhere = isl::set::universe(SetSpaceFromParameters(context.space()));  // { [] }
  IndexRanges ranges;
  for (const std::string& name : names) {
    const int place = FindDimension(context, isl_dim_param, name);
    if (place < 0) continue;
    const isl::pw_aff value =
        isl::pw_aff::param_on_domain(nowhere, DimensionId(context, isl_dim_param, place));
    const isl::set values = value.intersect_params(context).as_map().range();  // { [v] }
    if (values.is_empty()) continue;
    const isl::val least = values.dim_min_val(0), most = values.dim_max_val(0);
    if (least.is_int() && most.is_int()) ranges[name] = {least.num_si(), most.num_si()};
  }
  return ranges;
}

}  // namespace

void LowerKernelBody(IslContext& context, const MappedKernel& kernel, const ParsedScop& scop,
                     const std::vector<DeviceArray>& arrays, const HelperNames& names, bool origins,
                     DeviceKernel* lowered) {
  const isl::set values = ParameterValues(context, {}).intersect(kernel.context);
  const BlockAst ast =
      BuildBlockAst(context, kernel.thread, scop, values, kernel.memory, names.iterator, origins);
  lowered->tiles = LowerTiles(kernel.memory, scop);
  lowered->body = KernelLowering(ast, kernel, arrays, values).Lower(ast.root);
  const bool fits = !ast.needs_long && StaysInInt(lowered->body, RangesOfParameters(values, lowered->body));
  lowered->index_type = fits ? "int" : "long long";
}

}  // namespace tune
