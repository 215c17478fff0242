#include "worker/mapping/host_tree.h"

#include <optional>

#include "common/isl/functions.h"
#include "common/isl/schedule.h"
#include "common/isl/sets.h"
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
      return InsertPartialSchedule(*below, loops);
    }
    const bool unordered = node.isa<isl::schedule_node_set>();
    std::optional<isl::schedule> all;
    for (unsigned i = 0; i < node.n_children(); ++i) {
      const std::optional<isl::schedule> next = Visit(node.child(static_cast<int>(i)), depth);
      if (!next) continue;
      if (!all) {
        all = next;
      } else {
        all = unordered ? ScheduleSet(*all, *next) : ScheduleSequence(*all, *next);
      }
    }
    return all;
  }

 private:
  // In terms of quotients: isl makes no conditions of variables that merely exist.
  static isl::set WithoutExistentials(const isl::set& set) { return ComputeDivs(set).coalesce(); }

  // { K[h] -> [h_depth, ..., h_(depth + members - 1)] }
  static isl::multi_union_pw_aff HostLoops(const isl::union_set& domain, int depth, int members) {
    isl::multi_union_pw_aff loops;
    for (int i = depth; i < depth + members; ++i) {
      isl::union_pw_aff loop = EmptyUnionPwAff(domain.space());
      domain.foreach_set([&](const isl::set& set) {
        const isl::aff value = VariableOn(set.space(), i);
        const isl::pw_aff restricted = isl::pw_aff(value).intersect_domain(set);
        loop = loop.union_add(isl::union_pw_aff(restricted));
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
