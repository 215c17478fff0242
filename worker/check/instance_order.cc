#include "worker/check/instance_order.h"

#include <vector>

#include "common/base/status.h"
#include "common/isl/relations.h"
#include "common/mapping/part_mark.h"

namespace tune {
namespace {

class OrderVisitor {
 public:
  explicit OrderVisitor(const isl::ctx& ctx) : order_{{}, "", isl::union_map::empty(ctx)} {}

  // `pairs`, { S -> S' }: at equal times of the nodes above.
  void Visit(const isl::schedule_node& node, const isl::union_map& pairs) {
    if (order_.backward || pairs.is_empty()) return;
    if (node.isa<isl::schedule_node_leaf>()) {
      order_.tied = order_.tied.unite(pairs);
    } else if (node.isa<isl::schedule_node_band>()) {
      VisitBand(node.as<isl::schedule_node_band>(), pairs);
    } else if (node.isa<isl::schedule_node_sequence>() || node.isa<isl::schedule_node_set>()) {
      VisitChildren(node, pairs);
    } else {
      Visit(node.child(0), pairs);
    }
  }

  PairOrder TakeOrder() { return std::move(order_); }

 private:
  // A pair stays equal, and is then decided below, or must move forward.
  void VisitBand(const isl::schedule_node_band& band, const isl::union_map& pairs) {
    if (band.n_member() == 0) return Visit(band.child(0), pairs);
    const isl::multi_union_pw_aff times = band.partial_schedule();
    const isl::union_map backward = LexGreaterAt(pairs, times);
    if (!backward.is_empty()) return Stop(backward, absl::StrCat("at the band ", IslText(times)));
    Visit(band.child(0), pairs.eq_at(times));
  }

  // A pair goes from an earlier child to a later one, in a set from no child to another.
  void VisitChildren(const isl::schedule_node& node, const isl::union_map& pairs) {
    const bool ordered = node.isa<isl::schedule_node_sequence>();
    const int count = static_cast<int>(node.n_children());
    std::vector<isl::union_set> filters;
    for (int i = 0; i < count; ++i) filters.push_back(Through(node.child(i).as<isl::schedule_node_filter>()));
    for (int i = 0; i < count; ++i) {
      const isl::union_map inside = pairs.intersect_range(filters[i]);
      if (inside.is_empty()) continue;
      for (int j = ordered ? i + 1 : 0; j < count; ++j) {
        if (j == i) continue;
        const isl::union_map backward = inside.intersect_domain(filters[j]);
        if (!backward.is_empty()) return Stop(backward, ordered ? "in a sequence" : "in a set without order");
      }
      Visit(node.child(i), inside.intersect_domain(filters[i]));
    }
  }

  // { S }: what the filter, and a mark just below it, let through.
  static isl::union_set Through(const isl::schedule_node_filter& node) {
    const std::optional<isl::set> part = PartBelow(node.child(0));
    return part ? node.filter().intersect_params(*part) : node.filter();
  }

  void Stop(const isl::union_map& backward, const std::string& where) {
    order_.backward = backward;
    order_.where = where;
  }

  PairOrder order_;
};

}  // namespace

PairOrder OrderOf(const isl::schedule& tree, const isl::union_map& pairs) {
  OrderVisitor visitor(tree.ctx());
  visitor.Visit(tree.root().child(0), pairs);
  return visitor.TakeOrder();
}

}  // namespace tune
