// Flow of values from and to single accesses. Everything throws isl::exception.
#pragma once

#include <string>

#include "common/isl/relations.h"
#include "common/scop/reference_tag.h"

namespace tune {

// { [S -> R] }: the access of the instances, { S }, of the statement.
inline isl::union_set TaggedInstances(const isl::set& instances, const std::string& statement, int access) {
  const isl::set tag(instances.ctx(), absl::StrCat("{ ", ReferenceTag(statement, access), "[] }"));
  return isl::union_set(isl::map(MapFromDomainAndRange(instances, tag)).wrap());
}

// { S -> S } of { [S -> R] -> [S -> R] }.
inline isl::union_map WithoutTags(const isl::union_map& tagged) {
  return tagged.domain_factor_domain().range_factor_domain();
}

// { R -> S } of `tagged_flow`, that of Dependences: who wrote the values that the access reads at these
// instances.
inline isl::union_map FlowTo(const isl::union_map& tagged_flow, const isl::set& instances,
                             const std::string& statement, int access) {
  return WithoutTags(tagged_flow.intersect_range(TaggedInstances(instances, statement, access)));
}

}  // namespace tune
