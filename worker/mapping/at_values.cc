#include "worker/mapping/at_values.h"

#include "common/isl/bounds.h"
#include "common/isl/dimensions.h"
#include "common/isl/functions.h"
#include "common/isl/schedule_node.h"
#include "common/isl/spaces.h"

namespace tune {
namespace {

isl::union_set UnionAtValues(const isl::union_set& sets, const ParameterValueOf& values) {
  isl::union_set all = isl::union_set::empty(sets.ctx());
  sets.foreach_set([&](const isl::set& set) { all = all.unite(isl::union_set(AtValues(set, values))); });
  return all;
}

// { S -> [v] } of a band's member.
isl::union_pw_aff MemberAtValues(const isl::union_pw_aff& member, const ParameterValueOf& values) {
  isl::union_pw_aff all = EmptyUnionPwAff(ParameterSpace(member.ctx(), 0).ctx());
  const isl::pw_aff_list functions = PwAffList(member);
  for (unsigned i = 0; i < functions.size(); ++i) {
    const isl::union_pw_aff own(AtValues(functions.at(i), values));
    all = all.union_add(own);
  }
  return all;
}

isl::multi_union_pw_aff MembersAtValues(const isl::multi_union_pw_aff& members,
                                        const ParameterValueOf& values) {
  isl::multi_union_pw_aff all;
  for (unsigned i = 0; i < members.size(); ++i) {
    const isl::multi_union_pw_aff one(MemberAtValues(members.at(i), values));
    all = all.is_null() ? one : all.flat_range_product(one);
  }
  return all;
}

class TreeAtValues {
 public:
  explicit TreeAtValues(const ParameterValueOf& values) : values_(values) {}

  // Builds the subtree `from` at the leaf `leaf`; returns its root.
  isl::schedule_node Copy(const isl::schedule_node& from, const isl::schedule_node& leaf) const {
    if (from.isa<isl::schedule_node_leaf>()) return leaf;
    if (from.isa<isl::schedule_node_band>()) return CopyBand(from.as<isl::schedule_node_band>(), leaf);
    if (from.isa<isl::schedule_node_mark>()) {
      const isl::schedule_node inside = Copy(from.child(0), leaf);
      return inside.insert_mark(MarkId(from));
    }
    const bool ordered = from.isa<isl::schedule_node_sequence>();
    if (!ordered && !from.isa<isl::schedule_node_set>())
      isl::exception::throw_invalid("unexpected node in a schedule with kernels", __FILE__, __LINE__);
    return CopyFilters(from, ordered, leaf);
  }

 private:
  isl::schedule_node CopyBand(const isl::schedule_node_band& from, const isl::schedule_node& leaf) const {
    if (from.n_member() == 0) return Copy(from.child(0), leaf);
    const isl::multi_union_pw_aff members = MembersAtValues(from.partial_schedule(), values_);
    return Copy(from.child(0), InsertBandLike(from, members, leaf).child(0)).parent();
  }

  isl::schedule_node CopyFilters(const isl::schedule_node& from, bool ordered,
                                 const isl::schedule_node& leaf) const {
    const int count = static_cast<int>(from.n_children());
    isl::union_set_list filters(from.ctx(), count);
    for (int i = 0; i < count; ++i) {
      const isl::union_set filter = from.child(i).as<isl::schedule_node_filter>().filter();
      filters = filters.add(UnionAtValues(filter, values_));
    }
    isl::schedule_node node = ordered ? leaf.insert_sequence(filters) : leaf.insert_set(filters);
    for (int i = 0; i < count; ++i) node = Copy(from.child(i).child(0), node.child(i).child(0)).ancestor(2);
    return node;
  }

  const ParameterValueOf& values_;
};

}  // namespace

isl::set AtValues(const isl::set& set, const ParameterValueOf& values) {
  isl::set changed = set;
  for (const auto& [name, value] : values) {
    const int place = FindDimension(changed, isl_dim_param, name);
    if (place < 0) continue;
    changed = Fix(changed, isl_dim_param, place, isl::val(set.ctx(), value));
    changed = ProjectOut(changed, isl_dim_param, place, 1);
  }
  return changed;
}

isl::map AtValues(const isl::map& map, const ParameterValueOf& values) {
  isl::map changed = map;
  for (const auto& [name, value] : values) {
    const int place = FindDimension(changed, isl_dim_param, name);
    if (place < 0) continue;
    changed = Fix(changed, isl_dim_param, place, isl::val(map.ctx(), value));
    changed = ProjectOut(changed, isl_dim_param, place, 1);
  }
  return changed;
}

isl::pw_aff AtValues(const isl::pw_aff& function, const ParameterValueOf& values) {
  const isl::map map = function.as_map();
  return AtValues(map, values).as_pw_multi_aff().at(0);
}

isl::schedule AtValues(const isl::schedule& schedule, const ParameterValueOf& values) {
  const isl::schedule empty = isl::schedule::from_domain(UnionAtValues(schedule.domain(), values));
  return TreeAtValues(values).Copy(schedule.root().child(0), empty.root().child(0)).schedule();
}

std::shared_ptr<const ParsedScop> StatementsAtValues(const ParsedScop& scop, const ParameterValueOf& values) {
  auto changed = std::make_shared<ParsedScop>();
  changed->proto = scop.proto;
  changed->proto.clear_parameters();
  for (const v1::Parameter& parameter : scop.proto.parameters()) {
    if (values.count(parameter.name()) == 0) *changed->proto.add_parameters() = parameter;
  }
  const bool known = changed->proto.parameters().empty();
  changed->context = AtValues(scop.context, values);
  changed->statements = scop.statements;
  for (size_t i = 0; i < changed->statements.size(); ++i) {
    ParsedStatement& statement = changed->statements[i];
    statement.proto = &changed->proto.statements(static_cast<int>(i));
    for (isl::pw_aff& value : statement.affine) value = AtValues(value, values);
    statement.domain = AtValues(statement.domain, values);
    if (!known) statement.domain = statement.domain.intersect_params(changed->context);
    for (ParsedAccess& access : statement.accesses) access.relation = AtValues(access.relation, values);
  }
  return changed;
}

CudaPlan AtValues(const CudaPlan& plan) {
  auto scheduled = std::make_shared<ScheduledScop>(*plan.scheduled);
  scheduled->tree = AtValues(scheduled->tree, plan.schedules->parameter_values());
  CudaPlan changed = plan;
  changed.scheduled = std::move(scheduled);
  return changed;
}

}  // namespace tune
