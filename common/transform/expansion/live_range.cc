#include "common/transform/expansion/live_range.h"

#include <map>
#include <numeric>

#include "common/isl/tuple_name.h"
#include "common/scop/reference_tag.h"

namespace tune {
namespace {

// Groups the references of one array by the values that flow between them.
class LiveRangeBuilder {
 public:
  LiveRangeBuilder(const ParsedScop& scop, const Dependences& dependences, const std::string& array)
      : scop_(scop),
        dependences_(dependences),
        none_(isl::union_map::empty(scop.domain.ctx())),
        is_ended_(scop.array(array).declared_inside()) {
    for (size_t i = 0; i < scop.statements.size(); ++i) {
      const ParsedStatement& statement = scop.statements[i];
      if (statement.kind == v1::Statement::KILL) {
        is_ended_ = is_ended_ || statement.accesses[0].array == array;
        continue;
      }
      for (size_t j = 0; j < statement.accesses.size(); ++j) {
        if (statement.accesses[j].array != array) continue;
        indices_[ReferenceTag(statement.name, static_cast<int>(j))] = static_cast<int>(references_.size());
        references_.push_back({static_cast<int>(i), static_cast<int>(j)});
      }
    }
    group_.resize(references_.size());
    std::iota(group_.begin(), group_.end(), 0);
    sourced_.assign(references_.size(), scop.domain.subtract(scop.domain));
  }

  std::vector<LiveRange> Build() {
    std::vector<std::pair<int, isl::union_map>> flows;  // (a reference, S -> S)
    dependences_.tagged_flow.foreach_map([&](const isl::map& map) { AddFlow(map, flows); });
    std::map<int, LiveRange> ranges;  // by the group's first reference
    for (size_t i = 0; i < references_.size(); ++i) {
      const int group = Find(static_cast<int>(i));
      const auto [range, is_new] = ranges.try_emplace(group);
      if (is_new) Clear(range->second);
      AddReference(static_cast<int>(i), range->second);
    }
    for (const auto& [reference, flow] : flows) {
      LiveRange& range = ranges.at(Find(reference));
      range.flow = range.flow.unite(flow);
    }
    std::vector<LiveRange> result;
    for (auto& [group, range] : ranges) result.push_back(std::move(range));
    return result;
  }

 private:
  static std::string Tag(const isl::space& tagged) {  // of [S -> R]
    const isl::space wrapped = tagged.unwrap();
    return TupleName(wrapped, isl_dim_out);
  }

  // `map`: [S -> R] -> [S -> R].
  void AddFlow(const isl::map& map, std::vector<std::pair<int, isl::union_map>>& flows) {
    const auto source = indices_.find(Tag(map.space().domain()));
    const auto sink = indices_.find(Tag(map.space().range()));
    if (source == indices_.end() || sink == indices_.end()) return;
    const isl::union_map flow = isl::union_map(map).factor_domain();  // S -> S
    sourced_[sink->second] = sourced_[sink->second].unite(flow.range());
    const int a = Find(source->second), b = Find(sink->second);
    group_[std::max(a, b)] = std::min(a, b);
    flows.push_back({a, flow});
  }

  int Find(int reference) const {
    while (group_[reference] != reference) reference = group_[reference];
    return reference;
  }

  void Clear(LiveRange& range) const {
    range.instances = scop_.domain.subtract(scop_.domain);
    range.accesses = range.reads = range.writes = range.flow = range.live_in = range.live_out = none_;
  }

  void AddReference(int index, LiveRange& range) const {
    const ParsedStatement& statement = scop_.statements[references_[index].first];
    const ParsedAccess& access = statement.accesses[references_[index].second];
    const isl::union_map relation = access.relation.intersect_domain(statement.domain);  // S -> A
    range.references.push_back(references_[index]);
    range.instances = range.instances.unite(statement.domain);
    range.accesses = range.accesses.unite(relation);
    if (access.writes()) {
      range.writes = range.writes.unite(relation);
      // A statement writes one element, so all of this is of the array.
      range.live_out = range.live_out.unite(dependences_.live_out.intersect_domain(statement.domain));
    }
    if (access.reads()) {
      range.reads = range.reads.unite(relation);
      const isl::union_map unsourced = relation.subtract_domain(sourced_[index]);
      if (unsourced.is_empty()) return;
      range.live_in = range.live_in.unite(unsourced);
      // Other reads see what was there before: isl need not be asked, which may take it very long.
      const bool may_be_undefined = is_ended_ || access.kind != v1::Access::READ;
      if (may_be_undefined && !unsourced.is_subset(dependences_.live_in)) range.undefined = true;
    }
  }

  const ParsedScop& scop_;
  const Dependences& dependences_;
  const isl::union_map none_;
  bool is_ended_;  // within the region values of the array are, or it is
  std::vector<std::pair<int, int>> references_;
  std::map<std::string, int> indices_;   // tag -> place in references_
  std::vector<int> group_;               // union-find, the smallest is the root
  std::vector<isl::union_set> sourced_;  // { S }: instances whose read sees a value of the region
};

}  // namespace

std::vector<LiveRange> LiveRanges(const ParsedScop& scop, const Dependences& dependences,
                                  const std::string& array) {
  return LiveRangeBuilder(scop, dependences, array).Build();
}

isl::union_map NextWrites(const isl::schedule& schedule, const std::vector<const LiveRange*>& ranges) {
  isl::union_map reads = ranges.at(0)->reads, writes = ranges.at(0)->writes;  // S -> A
  for (const LiveRange* range : ranges) {
    reads = reads.unite(range->reads);
    writes = writes.unite(range->writes);
  }
  return isl::union_access_info(writes)
      .set_must_source(writes)
      .set_may_source(reads)
      .set_schedule(schedule)
      .compute_flow()
      .may_dependence();
}

}  // namespace tune
