#include "worker/mapping/thread_tree.h"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "worker/mapping/instance_function.h"
#include "worker/mapping/loop_mark.h"
#include "worker/mapping/mark_node.h"
#include "worker/mapping/promotion.h"

namespace tune {
namespace {

// Marks of the places where copies go: above the tile loops, above the thread's filter.
constexpr char kRegistersMark[] = "registers";
constexpr char kSharedMark[] = "shared";

std::optional<isl::schedule_node> FindMark(const isl::schedule_node& top, const std::string& name) {
  std::optional<isl::schedule_node> found;
  top.foreach_descendant_top_down([&](const isl::schedule_node& node) {
    if (found) return false;
    if (node.isa<isl::schedule_node_mark>() &&
        isl::manage(isl_schedule_node_mark_get_id(node.get())).name() == name) {
      found = node;
    }
    return !found.has_value();
  });
  return found;
}

bool HasBand(const isl::schedule_node& node) {
  if (node.isa<isl::schedule_node_band>()) return true;
  for (unsigned i = 0; i < node.n_children(); ++i) {
    if (HasBand(node.child(static_cast<int>(i)))) return true;
  }
  return false;
}

isl::union_map MapOf(const isl::union_pw_aff& function) {
  return isl::manage(isl_union_map_from_union_pw_aff(function.copy()));
}

class ThreadTreeBuilder {
 public:
  ThreadTreeBuilder(const BlockOfKernel& block, LocalMemory* memory)
      : block_(block),
        plan_(*block.plan),
        kernel_(*block.kernel),
        memory_(memory),
        specialised_(isl::manage(isl_schedule_intersect_domain(block.tree.copy(), block.domain.copy()))) {}

  isl::schedule Build() {
    isl::schedule_node node = FindKernel(specialised_, plan_.name);
    if (plan_.axes.empty()) return MarkInnermostLoops(node, false).schedule();
    // Functions of the original root band, before it is replaced.
    band_ = node.as<isl::schedule_node_band>().partial_schedule();
    const bool promotable = kernel_.bands[0].innermost;
    const bool tiled = promotable && plan_.shared;
    // 1. The loops of a thread.
    node = promotable ? PointsInside(node) : PointsOutside(node);
    node = node.insert_filter(ThreadInstances());
    node = InsertMark(node, kSharedMark);
    // 2. Tiles of what is not mapped.
    if (tiled) node = InsertTiles(node);
    node = InsertMark(node, kRegistersMark);
    if (!promotable) return node.schedule();
    // 3. What goes through shared memory and registers.
    const BlockInstances instances = Instances(*FindMark(node, kSharedMark));
    if (plan_.shared) PromoteToShared(instances, block_.max_shared_bytes, memory_);
    if (plan_.registers && HasSerialLoop()) PromoteToRegisters(instances, memory_);
    fills_ = std::move(memory_->copies);
    memory_->copies.clear();
    // 4. Full blocks apart from the others, each with its copies.
    const bool gains =
        !memory_->tiles.empty() || std::any_of(plan_.axes.begin(), plan_.axes.end(), HasPoints);
    const std::vector<isl::union_set> parts =
        gains ? FullAndPartialBlocks(instances) : std::vector<isl::union_set>{block_.domain};
    if (parts.size() == 1) return InsertCopies(node, parts[0]).schedule();
    isl::union_set_list filters(node.ctx(), static_cast<int>(parts.size()));
    for (const isl::union_set& part : parts) filters = filters.add(part);
    node = node.insert_sequence(filters);
    for (size_t i = 0; i < parts.size(); ++i) {
      const int depth = isl_schedule_node_get_tree_depth(node.get());
      node = InsertCopies(node.child(static_cast<int>(i)).child(0), parts[i]);
      node = isl::manage(
          isl_schedule_node_ancestor(node.copy(), isl_schedule_node_get_tree_depth(node.get()) - depth));
    }
    return node.schedule();
  }

 private:
  int Members() const { return kernel_.bands[0].member_count(); }
  const CudaAxis& Axis(size_t axis) const { return plan_.axes[plan_.axes.size() - 1 - axis]; }
  isl::union_pw_aff Member(int member) const { return band_.at(member); }
  static bool HasPoints(const CudaAxis& axis) { return axis.tile > axis.block; }
  // Which of the thread's points along the axis: { S -> [w] }.
  isl::union_pw_aff Point(const CudaAxis& axis) const {
    return FloorDiv(Modulo(Member(axis.member), axis.tile), axis.block);
  }
  bool HasSerialLoop() const {
    for (int m = 0; m < Members(); ++m) {
      if (!plan_.IsMapped(m) && kernel_.bands[0].trip_counts[m] != 1) return true;
    }
    return false;
  }

  LoopMark UnrollMark() const {
    LoopMark mark;
    mark.unroll = plan_.unroll;
    return mark;
  }

  // Loops over the members that are not mapped, in their order; `mark`: the last one is unrolled.
  isl::schedule_node InsertMembers(isl::schedule_node node, bool mark) const {
    for (int m = Members() - 1; m >= 0; --m) {
      if (plan_.IsMapped(m)) continue;
      const bool marked = mark && plan_.unroll > 1;
      if (marked) node = InsertMark(node, kLoopMarkEnd);
      node = node.insert_partial_schedule(isl::multi_union_pw_aff(Member(m)));
      if (mark && SeparatesStatements())
        node = node.as<isl::schedule_node_band>().member_set_ast_loop_separate(0);
      if (marked) node = InsertMark(node, PrintLoopMark(UnrollMark()));
      mark = false;
    }
    return node;
  }

  // Loops over tiles of the members that are not mapped. With one such member, its full tiles are kept apart,
  // so that the loop inside them has a constant length.
  isl::schedule_node InsertTiles(isl::schedule_node node) const {
    std::vector<int> serial;
    for (int m = 0; m < Members(); ++m) {
      if (!plan_.IsMapped(m)) serial.push_back(m);
    }
    for (auto m = serial.rbegin(); m != serial.rend(); ++m) {
      node = node.insert_partial_schedule(isl::multi_union_pw_aff(FloorDiv(Member(*m), plan_.inner_tile)));
      if (SeparatesStatements()) node = node.as<isl::schedule_node_band>().member_set_ast_loop_separate(0);
    }
    if (serial.size() != 1) return node;
    const isl::union_set isolated = isl::union_set(FullTiles(node, serial[0]));
    const isl::union_set options =
        isl::manage(isl_schedule_node_band_get_ast_build_options(node.get())).unite(isolated);
    return isl::manage(isl_schedule_node_band_set_ast_build_options(node.release(), options.copy()));
  }

  // Several statements in one loop run in part of its iterations each: conditions would stay in its body.
  bool SeparatesStatements() const { return kernel_.statements.size() > 1; }

  // { isolate[[p] -> [tile]] }: the tiles of the member, below the prefix of the tiles' band, that every
  // statement fills or does not touch.
  isl::set FullTiles(const isl::schedule_node& tiles, int member) const {
    const isl::map tile(tiles.ctx(), absl::StrCat("{ [m] -> [floor(m/", plan_.inner_tile, ")] }"));
    const isl::union_map prefix = isl::manage(isl_schedule_node_get_prefix_schedule_union_map(tiles.get()))
                                      .intersect_domain(block_.domain);
    isl::map full, partial;  // { [p] -> [tile] }
    block_.domain.foreach_set([&](const isl::set& statement) {
      if (statement.is_empty()) return;
      const isl::map values =  // { [p] -> [m] }
          prefix.intersect_domain(isl::union_set(statement))
              .reverse()
              .apply_range(MapOf(Member(member)))
              .as_map();
      const isl::map touched = values.apply_range(tile);
      const isl::map rest = touched.apply_range(tile.reverse()).subtract(values).apply_range(tile);
      full = full.is_null() ? touched : full.unite(touched);
      partial = partial.is_null() ? rest : partial.unite(rest);
    });
    return isl::manage(
        isl_set_set_tuple_name(isl_map_wrap(full.subtract(partial).coalesce().release()), "isolate"));
  }

  // Loops over the thread's points, unrolled when they are innermost.
  isl::schedule_node InsertPoints(isl::schedule_node node, bool innermost) const {
    for (size_t axis = 0; axis < plan_.axes.size(); ++axis) {
      if (!HasPoints(Axis(axis))) continue;
      node = node.insert_partial_schedule(isl::multi_union_pw_aff(Point(Axis(axis))));
      if (innermost) node = node.as<isl::schedule_node_band>().member_set_ast_loop_unroll(0);
    }
    return node;
  }

  isl::schedule_node PointsInside(const isl::schedule_node& band) const {
    isl::schedule_node node = isl::manage(isl_schedule_node_delete(band.copy()));
    node = InsertPoints(node, /*innermost=*/true);
    return InsertMembers(node, /*mark=*/true);
  }

  isl::schedule_node PointsOutside(const isl::schedule_node& band) const {
    isl::schedule_node node = MarkInnermostLoops(band, /*is_root=*/true);
    node = isl::manage(isl_schedule_node_delete(node.copy()));
    node = InsertMembers(node, /*mark=*/false);
    return InsertPoints(node, /*innermost=*/false);
  }

  // { S }: those of the thread.
  isl::union_set ThreadInstances() const {
    isl::union_set thread = block_.domain;
    for (size_t axis = 0; axis < plan_.axes.size(); ++axis) {
      const isl::union_pw_aff lane = Modulo(Member(Axis(axis).member), Axis(axis).block);
      thread = thread.intersect(
          WhereEqual(lane.intersect_domain(block_.domain), absl::StrCat(block_.thread_id, axis)));
    }
    return thread;
  }

  BlockInstances Instances(const isl::schedule_node& shared_mark) const {
    BlockInstances instances;
    instances.scop = block_.scop;
    instances.statements = kernel_.statements;
    instances.domain = block_.domain;
    instances.prefix = isl::manage(isl_schedule_node_get_prefix_schedule_union_map(shared_mark.get()))
                           .intersect_domain(block_.domain);
    instances.points = isl::manage(isl_union_map_from_domain(block_.domain.copy()));  // { S -> [] }
    for (const CudaAxis& axis : plan_.axes) {
      const isl::union_map member = MapOf(Member(axis.member)).intersect_domain(block_.domain);
      instances.mapped = instances.mapped.is_null() ? member : FlatProduct(instances.mapped, member);
      if (!HasPoints(axis)) continue;
      instances.points = FlatProduct(instances.points, MapOf(Point(axis)).intersect_domain(block_.domain));
      instances.point_extents.push_back(axis.tile / axis.block);
    }
    return instances;
  }
  static isl::union_map FlatProduct(const isl::union_map& left, const isl::union_map& right) {
    return isl::manage(isl_union_map_flat_range_product(left.copy(), right.copy()));
  }

  // Blocks in which every point of every thread has an instance, and the others; empty parts are left out.
  std::vector<isl::union_set> FullAndPartialBlocks(const BlockInstances& instances) const {
    const isl::set points =
        isl::manage(isl_set_from_union_set(instances.mapped.range().release()));  // { [m] }
    isl::set box = isl::manage(isl_set_universe(isl_set_get_space(points.get())));
    for (size_t i = 0; i < plan_.axes.size(); ++i) {
      const size_t axis = plan_.axes.size() - 1 - i;
      const std::string text = absl::StrCat(block_id_, axis);
      isl_local_space* const space = isl_local_space_from_space(isl_set_get_space(box.get()));
      const isl::pw_aff value =
          isl::pw_aff(isl::manage(isl_aff_var_on_domain(space, isl_dim_set, static_cast<int>(i))));
      box = box.intersect(isl::manage(isl_set_from_union_set(
          WhereEqual(FloorDiv(isl::union_pw_aff(value), plan_.axes[i].tile), text).release())));
    }
    const isl::set partial = box.intersect_params(block_.context).subtract(points).params();
    const isl::set full = block_.context.subtract(partial);
    std::vector<isl::union_set> parts;
    for (const isl::set& blocks : {full, partial}) {
      const isl::union_set part = block_.domain.intersect_params(blocks.coalesce());
      if (!part.is_empty()) parts.push_back(part);
    }
    return parts;
  }

  // Puts the copies for `domain`, a part of the block's instances, into the subtree of `node`; a node inside
  // it.
  isl::schedule_node InsertCopies(isl::schedule_node node, const isl::union_set& domain) {
    if (!fills_.empty()) {
      const isl::schedule_node mark = *FindMark(node, kSharedMark);
      const isl::schedule_node filled = FillShared(mark, domain);
      const int up =
          isl_schedule_node_get_tree_depth(filled.get()) - isl_schedule_node_get_tree_depth(node.get());
      node = isl::manage(isl_schedule_node_ancestor(filled.copy(), up));
    }
    for (size_t t = 0; t < memory_->tiles.size(); ++t) {
      if (memory_->tiles[t].shared) continue;
      for (const auto kind : {CopyStatement::Kind::kLoad, CopyStatement::Kind::kStore}) {
        const isl::schedule_node mark = *FindMark(node, kRegistersMark);
        const isl::schedule_node copied = CopyRegisters(mark, domain, static_cast<int>(t), kind);
        const int up =
            isl_schedule_node_get_tree_depth(copied.get()) - isl_schedule_node_get_tree_depth(node.get());
        node = isl::manage(isl_schedule_node_ancestor(copied.copy(), up));
      }
    }
    return node;
  }

  // { [p] -> Fill[p] } before the thread's filter.
  isl::schedule_node FillShared(const isl::schedule_node& mark, const isl::union_set& domain) {
    CopyStatement fill;
    fill.kind = CopyStatement::Kind::kFillShared;
    fill.name = absl::StrCat("Fill", memory_->copies.size());
    const isl::set prefixes = isl::manage(
        isl_set_from_union_set(isl::manage(isl_schedule_node_get_prefix_schedule_union_map(mark.get()))
                                   .intersect_domain(domain)
                                   .range()
                                   .release()));
    const isl::map extension =
        isl::manage(isl_map_set_tuple_name(
                        isl_map_identity(isl_space_map_from_set(isl_set_get_space(prefixes.get()))),
                        isl_dim_out, fill.name.c_str()))
            .intersect_domain(prefixes);
    const isl::pw_multi_aff place = extension.reverse().as_pw_multi_aff();  // Fill[p] -> [p]
    for (const CopyStatement& tile : fills_) fill.places.push_back(tile.places[0].pullback(place));
    memory_->copies.push_back(std::move(fill));
    return mark.graft_before(isl::schedule_node::from_extension(isl::union_map(extension)));
  }

  // { [p] -> Load[w] } before or { [p] -> Store[w] } after the tile loops, for the elements that the thread
  // touches.
  isl::schedule_node CopyRegisters(const isl::schedule_node& mark, const isl::union_set& domain, int tile,
                                   CopyStatement::Kind kind) {
    const bool load = kind == CopyStatement::Kind::kLoad;
    const LocalTile& registers = memory_->tiles[tile];
    CopyStatement copy;
    copy.kind = kind;
    copy.tile = tile;
    copy.name = absl::StrCat(load ? "Load" : "Store", memory_->copies.size());
    const isl::union_set thread = ThreadInstances().intersect(domain);
    isl::union_map points, elements;  // { S -> tile[w] }, { S -> A }
    for (const auto& [reference, place] : memory_->references) {
      if (place.get() == nullptr ||
          isl_pw_multi_aff_get_tuple_name(place.get(), isl_dim_out) != registers.name)
        continue;
      const isl::map point = isl::manage(isl_map_from_pw_multi_aff(place.copy()));
      const isl::map element = block_.scop->statement(reference.first).accesses[reference.second].relation;
      points = points.is_null() ? isl::union_map(point) : points.unite(isl::union_map(point));
      elements = elements.is_null() ? isl::union_map(element) : elements.unite(isl::union_map(element));
    }
    points = points.intersect_domain(thread);
    if (points.is_empty()) return mark;  // the part does not touch the array
    const isl::map element = points.reverse().apply_range(elements).as_map();  // { tile[w] -> A }
    const isl::map named = isl::manage(isl_map_set_tuple_name(element.copy(), isl_dim_in, copy.name.c_str()));
    const isl::set instances = named.domain();  // { Copy[w] }
    copy.places.push_back(named.as_pw_multi_aff());
    copy.places.push_back(
        isl::manage(isl_map_set_tuple_name(isl_map_set_tuple_name(isl_set_identity(instances.copy()),
                                                                  isl_dim_out, registers.name.c_str()),
                                           isl_dim_in, copy.name.c_str()))
            .as_pw_multi_aff());
    // Every [p] of the part that the thread runs.
    const isl::set prefixes = isl::manage(
        isl_set_from_union_set(isl::manage(isl_schedule_node_get_prefix_schedule_union_map(mark.get()))
                                   .intersect_domain(thread)
                                   .range()
                                   .release()));
    const isl::map extension = isl::manage(isl_map_from_domain_and_range(prefixes.copy(), instances.copy()));
    isl::schedule_node graft = isl::schedule_node::from_extension(isl::union_map(extension)).child(0);
    for (int i = static_cast<int>(registers.extents.size()) - 1; i >= 0; --i) {
      isl_local_space* const space = isl_local_space_from_space(isl_set_get_space(instances.get()));
      const isl::pw_aff index = isl::pw_aff(isl::manage(isl_aff_var_on_domain(space, isl_dim_set, i)));
      graft = graft.insert_partial_schedule(isl::multi_union_pw_aff(isl::union_pw_aff(index)));
      graft = graft.as<isl::schedule_node_band>().member_set_ast_loop_unroll(0);
    }
    memory_->copies.push_back(std::move(copy));
    while (graft.has_parent()) graft = graft.parent();
    return load ? mark.graft_before(graft) : mark.graft_after(graft);
  }

  // Marks the last loop of the innermost bands below `node`, of `node` itself only when it is not the root
  // band.
  isl::schedule_node MarkInnermostLoops(isl::schedule_node node, bool is_root) const {
    if (plan_.unroll <= 1) return node;
    const int children = static_cast<int>(node.n_children());
    bool has_band = false;
    for (int i = 0; i < children; ++i) {
      has_band = has_band || HasBand(node.child(i));
      node = MarkInnermostLoops(node.child(i), false).parent();
    }
    if (is_root || has_band || !node.isa<isl::schedule_node_band>()) return node;
    const int members = static_cast<int>(node.as<isl::schedule_node_band>().n_member());
    if (members == 0) return node;
    if (members > 1) node = isl::manage(isl_schedule_node_band_split(node.release(), members - 1)).child(0);
    node = InsertMark(node.child(0), kLoopMarkEnd).parent();
    node = InsertMark(node, PrintLoopMark(UnrollMark()));
    return members > 1 ? node.parent() : node;
  }

  const BlockOfKernel& block_;
  const CudaKernelPlan& plan_;
  const Kernel& kernel_;
  LocalMemory* const memory_;
  const std::string block_id_ = block_.block_id;
  const isl::schedule specialised_;
  isl::multi_union_pw_aff band_;      // { S -> [member] }
  std::vector<CopyStatement> fills_;  // one a shared tile, with its offset
};

}  // namespace

isl::schedule_node FindKernel(const isl::schedule& tree, const std::string& name) {
  const std::optional<isl::schedule_node> mark = FindMark(tree.root(), name);
  if (!mark) throw std::logic_error(absl::StrCat("the tree has no kernel ", name));
  return mark->child(0);
}

isl::schedule MakeThreadTree(const BlockOfKernel& block, LocalMemory* memory) {
  return ThreadTreeBuilder(block, memory).Build();
}

}  // namespace tune
