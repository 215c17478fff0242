// What isl's C++ interface leaves out of the nodes of a schedule tree. Every function throws isl::exception.
#pragma once

#include "common/isl/checked.h"

namespace tune {

// The instances that reach the node, { S }.
inline isl::union_set NodeDomain(const isl::schedule_node& node) {
  return isl::manage(isl_schedule_node_get_domain(node.get()));
}

// Of how many band members the node is below.
inline int ScheduleDepth(const isl::schedule_node& node) {
  return Checked(isl_schedule_node_get_schedule_depth(node.get()), node.ctx());
}

// The identifier of a mark node.
inline isl::id MarkId(const isl::schedule_node& node) {
  return isl::manage(isl_schedule_node_mark_get_id(node.get()));
}

// { S -> T }: the members of all bands above, also where they are of relations.
inline isl::union_map PrefixScheduleRelation(const isl::schedule_node& node) {
  return isl::manage(isl_schedule_node_get_prefix_schedule_relation(node.get()));
}

// The tree without a node that has one child: that child, in its place.
inline isl::schedule_node WithoutNode(const isl::schedule_node& node) {
  return isl::manage(isl_schedule_node_delete(node.copy()));
}

// The band of these members above `below`, as permutable as `like`, and each member as coincident as that
// one's.
inline isl::schedule_node_band InsertBandLike(const isl::schedule_node_band& like,
                                              const isl::multi_union_pw_aff& members,
                                              const isl::schedule_node& below) {
  auto band = below.insert_partial_schedule(members).as<isl::schedule_node_band>();
  band = band.set_permutable(like.permutable());
  for (int m = 0; m < static_cast<int>(like.n_member()); ++m)
    band = band.member_set_coincident(m, like.member_get_coincident(m));
  return band;
}

}  // namespace tune
