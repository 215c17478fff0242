#include "worker/mapping/host_tree.h"

#include <optional>

#include "common/mapping/mark_node.h"

namespace tune {
namespace {

class HostTreeBuilder {
 public:
  explicit HostTreeBuilder(const std::map<std::string, isl::set>& launches) : launches_(launches) {}

  // The launches at and below `node`, which has `depth` schedule dimensions above it; nothing when there are
  // none.
  std::optional<isl::schedule> Visit(const isl::schedule_node& node, int depth) const {
    if (node.isa<isl::schedule_node_mark>()) {
      const auto kernel = launches_.find(MarkName(node));
      if (kernel != launches_.end()) return isl::schedule::from_domain(WithoutExistentials(kernel->second));
    }
    if (node.isa<isl::schedule_node_band>()) {
      const int members = static_cast<int>(node.as<isl::schedule_node_band>().n_member());
      const std::optional<isl::schedule> below = Visit(node.child(0), depth + members);
      if (!below || members == 0) return below;
      const isl::multi_union_pw_aff loops = HostLoops(below->domain(), depth, members);
      return isl::manage(isl_schedule_insert_partial_schedule(below->copy(), loops.copy()));
    }
    const bool unordered = node.isa<isl::schedule_node_set>();
    std::optional<isl::schedule> all;
    for (unsigned i = 0; i < node.n_children(); ++i) {
      const std::optional<isl::schedule> next = Visit(node.child(static_cast<int>(i)), depth);
      if (!next) continue;
      if (!all) {
        all = next;
      } else {
        all = isl::manage(unordered ? isl_schedule_set(all->copy(), next->copy())
                                    : isl_schedule_sequence(all->copy(), next->copy()));
      }
    }
    return all;
  }

 private:
  // In terms of quotients: isl makes no conditions of variables that merely exist.
  static isl::set WithoutExistentials(const isl::set& set) {
    return isl::manage(isl_set_coalesce(isl_set_compute_divs(set.copy())));
  }

  // { K[h] -> [h_depth, ..., h_(depth + members - 1)] }
  static isl::multi_union_pw_aff HostLoops(const isl::union_set& domain, int depth, int members) {
    isl::multi_union_pw_aff loops;
    for (int i = depth; i < depth + members; ++i) {
      isl::union_pw_aff loop = isl::manage(isl_union_pw_aff_empty(isl_union_set_get_space(domain.get())));
      domain.foreach_set([&](const isl::set& set) {
        isl_local_space* const space = isl_local_space_from_space(isl_set_get_space(set.get()));
        const isl::aff value = isl::manage(isl_aff_var_on_domain(space, isl_dim_set, i));
        const isl::pw_aff restricted = isl::pw_aff(value).intersect_domain(set);
        loop = isl::manage(
            isl_union_pw_aff_union_add(loop.release(), isl_union_pw_aff_from_pw_aff(restricted.copy())));
      });
      const isl::multi_union_pw_aff one(loop);
      loops = loops.is_null() ? one : loops.flat_range_product(one);
    }
    return loops;
  }

  const std::map<std::string, isl::set>& launches_;
};

}  // namespace

isl::schedule HostTree(const isl::schedule& tree, const std::map<std::string, isl::set>& launches) {
  const std::optional<isl::schedule> host = HostTreeBuilder(launches).Visit(tree.root(), 0);
  if (host) return *host;
  return isl::schedule::from_domain(isl::union_set::empty(tree.ctx()));
}

}  // namespace tune
