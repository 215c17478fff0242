#include "worker/check/program_fill_check.h"

#include <set>

#include "common/isl/bounds.h"
#include "worker/check/placement.h"
#include "worker/check/raised_expression.h"

namespace tune {
namespace {

class FillCheck {
 public:
  FillCheck(const CheckedKernel& checked, const RaisedNode& node)
      : checked_(checked), node_(node), fill_(*node.node->As<Fill>()) {}

  absl::Status Check() const {
    const CopyStatement* const copy = checked_.mapped->memory.FindCopy(fill_.origin.statement);
    if (copy == nullptr || copy->kind != CopyStatement::Kind::kFillShared ||
        copy->places.size() != fill_.tiles.size() || fill_.zero_outside != checked_.mapped->memory.padded) {
      return checked_.Fault(fill_.origin.statement, " does not fill what it should");
    }
    size_t next = 0;
    for (const LocalTile& tile : checked_.mapped->memory.tiles) {
      if (!tile.shared) continue;
      if (fill_.tiles[next].to.array != tile.name)
        return checked_.Fault(fill_.origin.statement, " does not fill tile ", tile.name);
      TUNE_RETURN_IF_ERROR(CheckTile(fill_.tiles[next], tile, copy->places[next]));
      ++next;
    }
    return CheckThreads();
  }

 private:
  // `place`: { X -> A[first element] }
  absl::Status CheckTile(const TileFill& fill, const LocalTile& tile, const isl::pw_multi_aff& place) const {
    const isl::map runs = node_.Runs();                             // [i] -> X
    const isl::map found = node_.Function(fill.first, tile.array);  // [i] -> A
    const isl::map meant = runs.apply_range(place.as_map()).intersect_params(checked_.context);
    if (!meant.is_subset(found))
      return checked_.Fault("tile ", tile.name, " is filled from another element than it should");
    const isl::set starts = found.range();  // { A[first element] }
    const DeviceArray& array = ArrayOf(tile);
    if (fill.before.size() != tile.extents.size() || fill.behind.size() != tile.extents.size())
      return checked_.Fault("tile ", tile.name, " is filled in other dimensions than it has");
    for (size_t i = 0; i < tile.extents.size(); ++i) {
      const auto dimension = static_cast<unsigned>(i);
      const isl::set before = UpperBound(starts, isl_dim_set, dimension, -1);
      const size_t of_tile = OtherDimensionOf(i, tile.extents.size(), tile.transposed);
      const isl::val last_start(starts.ctx(), static_cast<long>(array.extents[i] - tile.extents[of_tile]));
      // Where an array of any length ends nothing tells.
      const isl::set behind =
          array.extent_names.empty()
              ? LowerBound(starts, isl_dim_set, dimension, last_start.add(isl::val::one(starts.ctx())))
              : starts;
      if ((!fill.before[i] && !before.is_empty()) || (!fill.behind[i] && !behind.is_empty()))
        return checked_.Fault("the fill of tile ", tile.name, " reads outside of array ", tile.array);
    }
    return CheckWidth(fill, array.extents);
  }

  // Copies of several elements begin at multiples of them, in array and tile, and none crosses the end of a
  // row or of the array.
  absl::Status CheckWidth(const TileFill& fill, const std::vector<int64_t>& extents) const {
    if (fill.width == 1) return absl::OkStatus();
    const Tile& tile = *checked_.kernel->FindTile(fill.to.array);
    const int64_t bytes = BytesAtOnce(fill, tile);
    const auto fits = [&](int64_t number) { return number % fill.width == 0; };
    const bool whole_rows = tile.extents.size() == 1 || (fits(tile.row_length) && fits(extents.back()));
    if (fill.width < 1 || kTileAlignment % bytes != 0 || tile.extents.empty() || tile.transposed ||
        !fits(tile.extents.back()) || !whole_rows || (fill.behind.back() && !fits(extents.back())) ||
        !LoadsPlainly(*checked_.kernel, checked_.program->arrays, tile.array)) {
      return checked_.Fault("tile ", tile.name, " cannot be filled by ", fill.width, " elements at once");
    }
    using Op = IndexExpression::Op;
    const IndexExpression more =
        IndexExpression::Of(Op::kRemainder, {fill.first.back(), IndexExpression::Constant(fill.width)});
    const isl::set multiples =  // { [i] }
        ExpressionRaising(node_.domain.ctx(), node_.iterators)
            .Where(IndexExpression::Of(Op::kEqual, {more, IndexExpression::Constant(0)}));
    if (node_.domain.intersect_params(checked_.context).is_subset(multiples)) return absl::OkStatus();
    return checked_.Fault("tile ", tile.name, " does not begin at a multiple of ", fill.width, " elements");
  }

  const DeviceArray& ArrayOf(const LocalTile& tile) const {
    for (const DeviceArray& array : checked_.program->arrays) {
      if (array.scop_name == tile.array) return array;
    }
    throw isl::exception("a tile of an array that the program does not have");
  }

  // Each element of a tile is one thread's: those that come here are numbered from 0 to their number.
  absl::Status CheckThreads() const {
    std::set<int64_t> lanes;
    const DeviceKernel& kernel = *checked_.kernel;
    const std::string thread = kernel.is_function ? checked_.names.thread_index : "threadIdx";
    for (int64_t number = 0; number < kernel.ThreadCount(); ++number) {
      const auto value_of = [&](const std::string& name) -> int64_t {
        if (name == thread + ".x") return number % kernel.threads[0];
        if (name == thread + ".y") return number / kernel.threads[0] % kernel.threads[1];
        if (name == thread + ".z") return number / kernel.threads[0] / kernel.threads[1];
        throw isl::exception("a thread's number depends on more than the thread");
      };
      const int64_t lane = Evaluate(LaneDefinition(), value_of);
      const auto with_lane = [&](const std::string& name) {
        return name == fill_.lane ? lane : value_of(name);
      };
      bool comes = true;
      for (const IndexExpression& condition : node_.by_thread_number)
        comes = comes && Evaluate(condition, with_lane) != 0;
      if (comes && (lane < 0 || lane >= fill_.threads || !lanes.insert(lane).second))
        return checked_.Fault("thread ", number, " of a block fills what another one fills, or nothing");
    }
    if (static_cast<int64_t>(lanes.size()) == fill_.threads) return absl::OkStatus();
    return checked_.Fault("of the threads that should fill tiles, ", fill_.threads, ", only ", lanes.size(),
                          " come to do so");
  }

  const IndexExpression& LaneDefinition() const {
    for (const Node& node : checked_.kernel->body) {
      const auto* const definition = node.As<Definition>();
      if (definition != nullptr && definition->name == fill_.lane && definition->constant)
        return definition->value;
    }
    throw isl::exception("nothing says how the threads that fill tiles are numbered");
  }

  const CheckedKernel& checked_;
  const RaisedNode& node_;
  const Fill& fill_;
};

}  // namespace

absl::Status CheckProgramFills(const CheckedKernel& checked) {
  for (const RaisedNode& node : checked.nodes) {
    if (node.node->As<Fill>() != nullptr) {
      TUNE_RETURN_IF_ERROR(FillCheck(checked, node).Check());
    } else if (!node.by_thread_number.empty()) {
      return checked.Fault("only some threads run what stands beside the filling of tiles");
    }
  }
  return absl::OkStatus();
}

}  // namespace tune
