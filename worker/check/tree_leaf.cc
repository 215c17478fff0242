#include "worker/check/tree_leaf.h"

#include <algorithm>

#include "common/isl/bounds.h"
#include "common/isl/dimensions.h"
#include "common/isl/relations.h"
#include "common/isl/tuple_name.h"
#include "common/mapping/loop_mark.h"
#include "common/mapping/mark_node.h"
#include "common/mapping/part_mark.h"

namespace tune {
namespace {

class LeafCollector {
 public:
  // `schedule`: { X -> [p] } of what reaches `node`.
  void Visit(const isl::schedule_node& node, const isl::union_map& schedule) {
    if (node.isa<isl::schedule_node_leaf>()) return AddLeaf(schedule);
    if (node.isa<isl::schedule_node_band>()) return VisitBand(node.as<isl::schedule_node_band>(), schedule);
    if (node.isa<isl::schedule_node_sequence>() || node.isa<isl::schedule_node_set>()) {
      const int children = static_cast<int>(node.n_children());
      for (int i = 0; i < children; ++i) {
        path_.push_back(i);
        Visit(node.child(i), schedule);
        path_.pop_back();
      }
      return;
    }
    if (node.isa<isl::schedule_node_extension>())
      return VisitExtension(node.as<isl::schedule_node_extension>(), schedule);
    if (const std::optional<isl::set> part = PartBelow(node)) return VisitPart(node, *part, schedule);
    if (node.isa<isl::schedule_node_mark>()) return VisitMark(node, schedule);
    if (node.isa<isl::schedule_node_expansion>())
      isl::exception::throw_invalid("a check cannot read an expansion node", __FILE__, __LINE__);
    const isl::union_map inside = Inside(node, schedule);
    if (PlainIsEmpty(inside)) return;
    Visit(node.child(0), inside);
  }

  std::vector<TreeLeaf> TakeLeaves() { return std::move(leaves_); }

 private:
  // What a node without an order of its own lets through.
  static isl::union_map Inside(const isl::schedule_node& node, const isl::union_map& schedule) {
    if (node.isa<isl::schedule_node_filter>())
      return schedule.intersect_domain(node.as<isl::schedule_node_filter>().filter());
    if (node.isa<isl::schedule_node_guard>())
      return schedule.intersect_params(node.as<isl::schedule_node_guard>().guard());
    return schedule;
  }

  void VisitBand(const isl::schedule_node_band& band, const isl::union_map& schedule) {
    const size_t members = band.n_member();
    if (members == 0) return Visit(band.child(0), schedule);                   // would forget the domain
    const isl::union_map own = isl::union_map::from(band.partial_schedule());  // X -> [members]
    path_.insert(path_.end(), members, TreeLeaf::kMember);
    points_.insert(points_.end(), members, marked_points_);
    Visit(band.child(0), FlatRangeProduct(schedule, own));  // X -> [p, members]
    path_.resize(path_.size() - members);
    points_.resize(points_.size() - members);
  }

  void VisitPart(const isl::schedule_node& node, const isl::set& part, const isl::union_map& schedule) {
    const std::optional<isl::set> outside = part_;
    part_ = outside ? outside->intersect(part) : part;
    Visit(node.child(0), schedule.intersect_params(part));
    part_ = outside;
  }

  void VisitExtension(const isl::schedule_node_extension& extension, const isl::union_map& schedule) {
    const std::optional<isl::union_map> outside = around_;
    around_ = schedule;
    const isl::union_map added = extension.extension().reverse();
    Visit(extension.child(0), schedule.unite(part_ ? added.intersect_params(*part_) : added));
    around_ = outside;
  }

  void VisitMark(const isl::schedule_node& node, const isl::union_map& schedule) {
    const int64_t outside = marked_points_;
    const std::string name = MarkName(node);
    if (name == kLoopMarkEnd) marked_points_ = 0;
    if (const std::optional<LoopMark> mark = ParseLoopMark(name)) marked_points_ = mark->points;
    Visit(node.child(0), schedule);
    marked_points_ = outside;
  }

  void AddLeaf(const isl::union_map& schedule) {
    if (!schedule.is_empty()) leaves_.push_back({schedule.coalesce(), path_, points_, around_});
  }

  std::vector<int> path_;
  std::vector<int64_t> points_;
  int64_t marked_points_ = 0;  // of the mark to which a band belongs here
  std::optional<isl::union_map> around_;
  std::optional<isl::set> part_;  // of the parameters at which the marks above let something run
  std::vector<TreeLeaf> leaves_;
};

}  // namespace

int TreeLeaf::depth() const { return static_cast<int>(std::count(path.begin(), path.end(), kMember)); }

std::vector<TreeLeaf> FindLeaves(const isl::schedule& tree) {
  LeafCollector collector;
  const isl::union_set domain = tree.domain();
  if (domain.is_empty()) return {};
  collector.Visit(tree.root().child(0), isl::union_map::from_domain(domain));  // X -> []
  return collector.TakeLeaves();
}

Parting PartingOf(const TreeLeaf& first, const TreeLeaf& second) {
  Parting parting;
  while (first.path.at(parting.position) == second.path.at(parting.position)) {
    if (first.path[parting.position] == TreeLeaf::kMember) ++parting.members;
    ++parting.position;
  }
  parting.forward = first.path[parting.position] < second.path[parting.position];
  return parting;
}

isl::union_map OuterMembers(const isl::union_map& schedule, int members) {
  isl::union_map outer = isl::union_map::empty(schedule.ctx());
  schedule.foreach_map([&](const isl::map& map) {
    const int inner = static_cast<int>(map.range_tuple_dim()) - members;
    outer = outer.unite(isl::union_map(ProjectOut(map, isl_dim_out, members, inner)));
  });
  return outer;
}

isl::union_map TimesOf(const isl::union_map& schedule, const std::vector<int>& path, size_t length) {
  isl::union_map times = isl::union_map::empty(schedule.ctx());
  schedule.foreach_map([&](const isl::map& map) {
    isl::map timed = map;
    for (size_t i = 0; i < length; ++i) {
      const int step = i < path.size() ? path[i] : 0;
      if (step == TreeLeaf::kMember) continue;
      timed = InsertDimensions(timed, isl_dim_out, i, 1);
      timed = Fix(timed, isl_dim_out, i, step);
    }
    times = times.unite(isl::union_map(timed));
  });
  return times;
}

isl::union_map Reordered(const isl::union_map& times, const isl::union_map& others) {
  const isl::union_map first = LexLess(times, times);
  const isl::union_map not_before = LexGreaterOrEqual(others, others);
  return first.intersect(not_before);
}

isl::union_set InstancesOf(const isl::union_set& instances, const std::string& statement) {
  isl::union_set found = isl::union_set::empty(instances.ctx());
  instances.foreach_set([&](const isl::set& set) {
    if (TupleName(set) == statement) found = isl::union_set(set);
  });
  return found;
}

}  // namespace tune
