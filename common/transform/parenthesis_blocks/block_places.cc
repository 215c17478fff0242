#include "common/transform/parenthesis_blocks/block_places.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/isl/bounds.h"
#include "common/isl/dimensions.h"
#include "common/isl/relations.h"
#include "common/isl/tuple_name.h"
#include "common/transform/wavefront_tiles/wavefront_copies.h"

namespace tune {
namespace {

// { [r, c] } of all elements that are written.
isl::set Elements(const TableNest& nest) {
  isl::set all;
  for (const TableStatement& one : nest.statements) {
    const isl::set own = ProjectOut(one.place.range(), isl_dim_set, 2, one.splits ? 1 : 0);
    all = all.is_null() ? own : all.unite(own);
  }
  return all;
}

// Rows and columns of blocks are R and C, the wavefront w the sum of both in their directions, from 0 on.
class BlockPlacement {
 public:
  BlockPlacement(const TableNest& nest, const ParsedScop& scop, const isl::set& values, int64_t size)
      : nest_(nest), scop_(scop), values_(values), size_(size) {
    const isl::map waves(ctx(), absl::StrCat("{ [R, C] -> [", Wave("R", "C"), "] }"));
    first_ = Elements(nest).apply(Blocks()).apply(waves).dim_min_val(0).num_si();
    const std::string sum = absl::StrCat("w", FirstAdded(), nest.sign[0] > 0 ? " - b" : " + b");
    column_ = absl::StrCat("(", nest.sign[1], " * (", sum, "))");
  }

  std::optional<std::vector<BlockPiece>> Place() {
    const auto first_split = std::find_if(nest_.statements.begin(), nest_.statements.end(),
                                          [](const TableStatement& one) { return one.splits; });
    const auto splits_at = static_cast<size_t>(first_split - nest_.statements.begin());
    for (size_t i = 0; i < nest_.statements.size(); ++i) {
      if (nest_.statements[i].splits && !PlaceSplits(i)) return std::nullopt;
    }
    const auto is_far = [](const BlockPiece& piece) { return piece.phase == BlockPhase::kFar; };
    if (std::none_of(pieces_.begin(), pieces_.end(), is_far)) return std::nullopt;
    const auto [before, behind] = AroundNearSplits();
    for (size_t i = 0; i < nest_.statements.size(); ++i) {
      if (!nest_.statements[i].splits) PlaceWhole(i, i < splits_at, i < splits_at ? before : behind);
    }
    std::stable_sort(pieces_.begin(), pieces_.end(), [](const BlockPiece& a, const BlockPiece& b) {
      return std::pair(a.phase, a.statement) < std::pair(b.phase, b.statement);
    });
    return std::move(pieces_);
  }

 private:
  isl::ctx ctx() const { return values_.ctx(); }
  std::string Wave(const std::string& row, const std::string& column) const {
    return absl::StrCat(nest_.sign[0], " * ", row, nest_.sign[1] > 0 ? " + " : " - ", column);
  }
  std::string FirstAdded() const {
    return first_ < 0 ? absl::StrCat(" - ", -first_) : absl::StrCat(" + ", first_);
  }
  std::string InBlock(const std::string& element, const std::string& block) const {
    return absl::StrCat("0 <= ", element, " - ", size_, " * ", block, " < ", size_);
  }
  isl::map Blocks() const {
    return isl::map(
        ctx(), absl::StrCat("{ [r, c] -> [R, C] : ", InBlock("r", "R"), " and ", InBlock("c", "C"), " }"));
  }
  const ParsedStatement& StatementOf(size_t i) const { return scop_.statements[nest_.statements[i].index]; }

  // The element at [i, j] of the block.
  std::string Row() const { return absl::StrCat(size_, " * b + i"); }
  std::string Column() const { return absl::StrCat(size_, " * ", column_, " + j"); }
  // The same in step s: of the steps to the element, along rows and columns, p counts the former down.
  std::string StepRow() const {
    const std::string steps = absl::StrCat(size_ - 1, " - p");
    return absl::StrCat(size_, " * b + ", nest_.sign[0] > 0 ? steps : "p");
  }
  std::string StepsAlongRow() const { return absl::StrCat("(s - ", size_ - 1, " + p)"); }
  std::string StepColumn() const {
    const std::string steps = StepsAlongRow();
    return absl::StrCat(size_, " * ", column_, " + ",
                        nest_.sign[1] > 0 ? steps : absl::StrCat(size_ - 1, " - ", steps));
  }
  std::string BoundsOf(const std::vector<std::string>& locals) const {
    std::string bounds;
    for (const std::string& local : locals)
      absl::StrAppend(&bounds, bounds.empty() ? "" : " and ", "0 <= ", local, " < ", size_);
    return bounds;
  }

  // What the table's place at the new one makes of the statement. `to`: "[w, b, i, j]", `place`: "r, c".
  void Add(size_t statement, BlockPhase phase, const std::string& to, const std::string& place,
           const std::string& bounds, const std::optional<isl::set>& limit = std::nullopt) {
    const TableStatement& of_nest = nest_.statements[statement];
    const isl::multi_aff at(ctx(), absl::StrCat("{ ", to, " -> [", place, "] }"));
    const isl::set box(ctx(), absl::StrCat("{ ", to, " : ", bounds, " }"));
    isl::set instances = of_nest.place.range().preimage(at).intersect(box);
    if (limit) instances = instances.intersect(*limit);
    instances = InFewPieces(instances);
    if (!instances.is_empty()) pieces_.push_back({statement, phase, instances, of_nest.origin.pullback(at)});
  }

  bool ReadsTables(const ParsedStatement& statement) const {
    return std::any_of(statement.accesses.begin(), statement.accesses.end(), [&](const ParsedAccess& access) {
      return access.reads() && nest_.tables.count(access.array) > 0;
    });
  }

  // The numbers before and behind those of near splits.
  std::pair<int64_t, int64_t> AroundNearSplits() const {
    int64_t first = 0, last = 0;
    for (const BlockPiece& piece : pieces_) {
      if (piece.phase != BlockPhase::kNear) continue;
      first = std::min(first, int64_t{piece.instances.dim_min_val(4).num_si()});
      last = std::max(last, int64_t{piece.instances.dim_max_val(4).num_si()});
    }
    return {first - 1, last + 1};
  }

  void PlaceWhole(size_t statement, bool before, int64_t split) {
    if (before && !ReadsTables(StatementOf(statement))) {
      Add(statement, BlockPhase::kFirst, "[w, b, i, j]", absl::StrCat(Row(), ", ", Column()),
          BoundsOf({"i", "j"}));
      return;
    }
    Add(statement, BlockPhase::kNear, "[w, b, s, p, q]", absl::StrCat(StepRow(), ", ", StepColumn()),
        absl::StrCat(BoundsOf({"p", StepsAlongRow()}), " and q = ", split));
  }

  // Blocks of splits are far or near as a whole.
  bool PlaceSplits(size_t statement) {
    const isl::multi_aff at(
        ctx(), absl::StrCat("{ [w, b, i, j, K, l] -> [", Row(), ", ", Column(), ", ", size_, " * K + l] }"));
    const isl::set box(ctx(), absl::StrCat("{ [w, b, i, j, K, l] : ", BoundsOf({"i", "j", "l"}), " }"));
    const isl::set all = nest_.statements[statement].place.range().preimage(at).intersect(box);
    const isl::map block(ctx(), "{ [w, b, i, j, K, l] -> [w, b, K] }");
    const isl::set near = NearSplits(statement, at, all).apply(block).coalesce();  // [w, b, K]
    const isl::set row(ctx(), absl::StrCat("{ [w, b, K] : K = b or K = b + ", nest_.sign[0], " }"));
    const isl::set column(ctx(), absl::StrCat("{ [w, b, K] : K != b and (K = ", column_, " or K = ", column_,
                                              " + ", nest_.sign[1], ") }"));
    if (!near.subtract(row).subtract(column).is_empty()) return false;
    PlaceFar(statement, all.subtract(near.preimage(block.as_pw_multi_aff().as_multi_aff())));
    PlaceNear(statement, near.intersect(row), /*in_rows=*/true);
    PlaceNear(statement, near.intersect(column), /*in_rows=*/false);
    return true;
  }

  // Those that read an element of a block that is no earlier one. `all`: { [w, b, i, j, K, l] }
  isl::set NearSplits(size_t statement, const isl::multi_aff& at, const isl::set& all) const {
    const isl::multi_aff origin = nest_.statements[statement].origin.pullback(at);
    const isl::map late(ctx(), absl::StrCat("{ [w, b, i, j, K, l] -> [R, C] : ", Wave("R", "C"), " >= w",
                                            FirstAdded(), " }"));
    isl::set near = isl::set::empty(all.space());
    for (const ParsedAccess& access : StatementOf(statement).accesses) {
      if (access.writes() || nest_.tables.count(access.array) == 0) continue;
      const isl::map element = access.relation.intersect_params(values_).project_out_all_params();
      const isl::map of_place = WithoutTupleId(element.preimage_domain(origin), isl_dim_out);
      near = near.unite(of_place.intersect_domain(all).apply_range(Blocks()).intersect(late).domain());
    }
    return near;
  }

  // `far`: { [w, b, i, j, K, l] }
  void PlaceFar(size_t statement, const isl::set& far) {
    const isl::map from_row(
        ctx(), absl::StrCat("{ [w, b, i, j, K, l] -> [w, b, i, j, ", size_, " * (K - b) + l] }"));
    Add(statement, BlockPhase::kFar, "[w, b, i, j, t]",
        absl::StrCat(Row(), ", ", Column(), ", ", size_, " * b + t"), BoundsOf({"i", "j"}),
        far.apply(from_row).coalesce());
  }

  // `blocks`: { [w, b, K] }
  void PlaceNear(size_t statement, const isl::set& blocks, bool in_rows) {
    const std::string split = in_rows ? "q" : absl::StrCat("q - ", size_);
    const std::string first = in_rows ? "b" : column_;
    const std::string at = absl::StrCat("(", size_, " * ", first, " + ", split, ")");
    const isl::map block(ctx(), absl::StrCat("{ [w, b, s, p, q] -> [w, b, K] : ", InBlock(at, "K"), " }"));
    Add(statement, BlockPhase::kNear, "[w, b, s, p, q]",
        absl::StrCat(StepRow(), ", ", StepColumn(), ", ", at), BoundsOf({"p", StepsAlongRow()}),
        blocks.apply(block.reverse()).coalesce());
  }

  const TableNest& nest_;
  const ParsedScop& scop_;
  const isl::set values_;
  const int64_t size_;
  int64_t first_ = 0;   // the least sum of R and C in their directions
  std::string column_;  // C, of w and b
  std::vector<BlockPiece> pieces_;
};

}  // namespace

std::optional<std::vector<BlockPiece>> PlaceInBlocks(const TableNest& nest, const ParsedScop& scop,
                                                     const isl::set& values, int64_t size) {
  return BlockPlacement(nest, scop, values, size).Place();
}

int64_t BlocksAlong(const TableNest& nest, int64_t size) {
  const isl::set all = Elements(nest);
  const auto along = [&](int d) {
    return (all.dim_max_val(d).num_si() - all.dim_min_val(d).num_si()) / size + 1;
  };
  return std::min(along(0), along(1));
}

}  // namespace tune
