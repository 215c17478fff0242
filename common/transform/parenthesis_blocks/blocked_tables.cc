#include "common/transform/parenthesis_blocks/blocked_tables.h"

#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "common/isl/dimensions.h"
#include "common/isl/schedule.h"
#include "common/isl/schedule_node.h"
#include "common/isl/tuple_name.h"
#include "common/kernel/tile_loops.h"
#include "common/scop/scop_names.h"
#include "common/transform/added_statement.h"
#include "common/transform/instance_times.h"
#include "common/transform/parenthesis_blocks/kept_order.h"
#include "common/transform/statement_pullback.h"
#include "common/transform/tiled_parts.h"

namespace tune {
namespace {

class BlockedTables {
 public:
  BlockedTables(const ParsedScop& scop, const TableNest& nest, const isl::set& values)
      : scop_(scop), nest_(nest), values_(values), result_(scop.proto), names_(NamesOf(scop.proto)) {
    for (const char* name : {"wave", "block", "row", "column", "split", "step", "lane"})
      iterators_.push_back(UnusedPrefix(name, names_));
  }

  std::optional<v1::Scop> Make(const std::vector<BlockPiece>& pieces) {
    for (const BlockPiece& piece : pieces) Add(piece);
    Begin();
    const isl::schedule order = Order(pieces);
    if (!KeepsOrder(scop_, renamed_, InstanceTimes(order), values_)) return std::nullopt;
    isl::schedule all = InSequence(nest_.before, order);
    if (nest_.after) all = InSequence(all, *nest_.after);
    result_.set_schedule(IslText(all));
    return std::move(result_);
  }

 private:
  std::vector<std::string> IteratorsOf(BlockPhase phase) const {
    if (phase == BlockPhase::kNear)
      return {iterators_[0], iterators_[1], iterators_[5], iterators_[6], iterators_[4]};
    std::vector<std::string> names(iterators_.begin(), iterators_.begin() + 4);
    if (phase == BlockPhase::kFar) names.push_back(iterators_[4]);
    return names;
  }

  void Add(const BlockPiece& piece) {
    const size_t index = nest_.statements[piece.statement].index;
    const ParsedStatement& statement = scop_.statements[index];
    const bool is_first = used_.insert(index).second;
    const std::string name = is_first ? statement.name : absl::StrCat("S", result_.statements_size());
    v1::Statement* const changed =
        is_first ? result_.mutable_statements(static_cast<int>(index)) : result_.add_statements();
    if (!is_first) *changed = *statement.proto;
    isl::set instances = WithTupleName(piece.instances, name);
    const std::vector<std::string> iterators = IteratorsOf(piece.phase);
    changed->clear_iterators();
    for (size_t i = 0; i < iterators.size(); ++i) {
      changed->add_iterators(iterators[i]);
      instances = WithDimensionName(instances, isl_dim_set, static_cast<int>(i), iterators[i]);
    }
    const isl::multi_aff origin =
        WithTupleName(piece.origin.as_map(), isl_dim_in, name).as_pw_multi_aff().as_multi_aff();
    PullBack(statement, origin, changed);
    changed->set_domain(IslText(instances));
    instances_.push_back(instances);
    renamed_.push_back({statement.name, origin.as_map().intersect_domain(instances)});
  }

  // Has something for each block to do, so that each wavefront has the same ones.
  void Begin() {
    isl::set all;
    for (const isl::set& piece : instances_) {
      const isl::set blocks =
          WithoutTupleId(ProjectOut(piece, isl_dim_set, 2, Dimensions(piece, isl_dim_set) - 2));
      all = all.is_null() ? blocks : all.unite(blocks);
    }
    begin_ = WithTupleName(BoundingBox(all), absl::StrCat("S", result_.statements_size()));
    for (int i = 0; i < 2; ++i) begin_ = WithDimensionName(begin_, isl_dim_set, i, iterators_[i]);
    const v1::Array& like = scop_.array(*nest_.tables.begin());
    const int64_t blocks = all.dim_max_val(1).num_si() + 1;
    const std::string name = AddLocalArray(like.name() + "_begun", like, {blocks}, &names_, &result_);
    const isl::map element(values_.ctx(), absl::StrCat("{ ", TupleName(begin_), "[w, b] -> ", name, "[b] }"));
    v1::Statement* const statement = AddStatement(begin_, 0, &result_);
    statement->mutable_value()->set_literal("0");
    statement->mutable_value()->set_c_type("int");
    statement->set_target(AddAccess(element, v1::Access::WRITE, statement));
  }
  isl::schedule LeafOfBegin() const { return isl::schedule::from_domain(isl::union_set(begin_)); }

  // Loops along dimensions `first` to `last` around it.
  static isl::schedule InLoops(isl::schedule inside, int first, int last) {
    for (int i = last; i >= first; --i) inside = InsertPartialSchedule(inside, LoopAlong(inside.domain(), i));
    return inside;
  }

  isl::schedule Order(const std::vector<BlockPiece>& pieces) const {
    std::optional<isl::schedule> wave, near;
    for (size_t i = 0; i < pieces.size(); ++i) {
      const isl::schedule leaf = isl::schedule::from_domain(isl::union_set(instances_[i]));
      if (pieces[i].phase == BlockPhase::kNear) {
        near = InSequence(near, leaf);
      } else {
        wave = InSequence(wave, InLoops(leaf, 1, Dimensions(instances_[i], isl_dim_set) - 1));
      }
    }
    if (near) {
      const isl::schedule tiles = InLoops(InSequence(LeafOfBegin(), InLoops(*near, 2, 4)), 1, 1);
      const isl::id mark = NamedId(values_.ctx(), TileLoopsMark());
      wave = InSequence(wave, tiles.root().child(0).insert_mark(mark).schedule());
    }
    return InLoops(*wave, 0, 0);
  }

  const ParsedScop& scop_;
  const TableNest& nest_;
  const isl::set values_;
  v1::Scop result_;
  std::vector<std::string> iterators_;
  std::set<std::string> names_;  // C identifiers that are taken
  isl::set begin_;
  std::set<size_t> used_;            // statements of which there is a piece
  std::vector<isl::set> instances_;  // { S' } of each piece
  std::vector<RenamedStatement> renamed_;
};

}  // namespace

std::optional<v1::Scop> FillByBlocks(const ParsedScop& scop, const TableNest& nest,
                                     const std::vector<BlockPiece>& pieces, const isl::set& values) {
  return BlockedTables(scop, nest, values).Make(pieces);
}

}  // namespace tune
