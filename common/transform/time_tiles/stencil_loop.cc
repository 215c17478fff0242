#include "common/transform/time_tiles/stencil_loop.h"

#include <optional>

#include "common/isl/functions.h"
#include "common/isl/relations.h"
#include "common/isl/schedule_node.h"
#include "common/isl/tuple_name.h"
#include "common/transform/plain_assignment.h"

namespace tune {
namespace {

class LoopReader {
 public:
  LoopReader(const ParsedScop& scop, const isl::set& values) : scop_(scop), values_(values) {}

  // The loop of `band`, which has one member; nothing where it is none of a stencil.
  std::optional<StencilLoop> Read(const isl::schedule_node_band& band) {
    times_ = band.partial_schedule().at(0);
    if (!ReadPhases(band.child(0)) || loop_.statements.empty()) return std::nullopt;
    isl::set steps;  // { [t] }
    for (const StencilStatement& statement : loop_.statements) {
      const isl::set own = TimeOf(statement.index).range();
      steps = steps.is_null() ? own : steps.unite(own);
    }
    if (steps.is_empty() || !steps.dim_min_val(0).is_int() || !steps.dim_max_val(0).is_int())
      return std::nullopt;
    loop_.first = steps.dim_min_val(0).num_si();
    loop_.last = steps.dim_max_val(0).num_si();
    return std::move(loop_);
  }

 private:
  bool ReadPhases(const isl::schedule_node& node) {
    if (!node.isa<isl::schedule_node_sequence>() && !node.isa<isl::schedule_node_set>())
      return ReadLoops(node);
    for (unsigned i = 0; i < node.n_children(); ++i) {
      if (!ReadLoops(node.child(static_cast<int>(i)).child(0))) return false;
    }
    return true;
  }

  // Parallel loops: what is in them one after the other may as well be in loops that follow each other.
  bool ReadLoops(const isl::schedule_node& node) {
    if (!node.isa<isl::schedule_node_band>()) return false;
    const auto band = node.as<isl::schedule_node_band>();
    for (unsigned i = 0; i < band.n_member(); ++i) {
      if (!band.member_get_coincident(static_cast<int>(i))) return false;
    }
    const isl::schedule_node inside = node.child(0);
    if (!inside.isa<isl::schedule_node_sequence>()) return ReadLeaf(inside);
    for (unsigned i = 0; i < inside.n_children(); ++i) {
      if (!ReadLeaf(inside.child(static_cast<int>(i)).child(0))) return false;
    }
    return true;
  }

  // Nothing but one statement or independent ones: the next phase.
  bool ReadLeaf(const isl::schedule_node& node) {
    if (!node.isa<isl::schedule_node_leaf>()) return false;
    bool fit = true;
    NodeDomain(node).foreach_set([&](const isl::set& set) { fit = fit && Add(TupleName(set), phases_); });
    ++phases_;
    return fit;
  }

  bool Add(const std::string& name, int phase) {
    const std::optional<size_t> found = FindPlainAssignment(scop_, name);
    if (!found) return false;
    const size_t index = *found;
    const ParsedStatement& statement = scop_.statements[index];
    const int dimensions = scop_.array(statement.target().array).extents_size();
    if (loop_.statements.empty()) loop_.dimensions = dimensions;
    if (dimensions == 0 || dimensions != loop_.dimensions) return false;
    const isl::map element = AtValues(statement.target().relation.intersect_domain(statement.domain));
    const isl::map place = FlatRangeProduct(TimeOf(index), WithoutTupleId(element, isl_dim_out));
    if (!place.is_single_valued() || !place.is_injective()) return false;
    loop_.statements.push_back({index, phase, place});
    return true;
  }

  isl::map AtValues(const isl::map& map) const {
    return map.intersect_params(values_).project_out_all_params();
  }

  // { S[x] -> [t] }
  isl::map TimeOf(size_t index) const {
    const isl::set domain = scop_.statements[index].domain;
    const isl::union_pw_aff own = times_.intersect_domain(isl::union_set(domain));
    return AtValues(own.as_union_map().as_map().intersect_domain(domain));
  }

  const ParsedScop& scop_;
  const isl::set values_;
  isl::union_pw_aff times_;  // { S -> [t] }
  StencilLoop loop_;
  int phases_ = 0;
};

}  // namespace

std::vector<StencilLoop> FindStencilLoops(const isl::schedule& schedule, const ParsedScop& scop,
                                          const isl::set& values) {
  std::vector<StencilLoop> loops;
  schedule.root().foreach_descendant_top_down([&](const isl::schedule_node& node) {
    if (!node.isa<isl::schedule_node_band>()) return true;
    const auto band = node.as<isl::schedule_node_band>();
    if (band.n_member() == 0) return true;
    if (band.n_member() > 1 || band.member_get_coincident(0)) return false;
    std::optional<StencilLoop> loop = LoopReader(scop, values).Read(band);
    if (loop) loops.push_back(*std::move(loop));
    return false;
  });
  return loops;
}

}  // namespace tune
