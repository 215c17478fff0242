#include "common/schedule/legality.h"

#include <vector>

#include "common/isl/relations.h"

namespace tune {
namespace {

// One pair of a non-empty { S -> S }: "S0[1, 2] must run before S1[3] (n = 4)".
std::string DescribePair(const isl::union_map& pairs) { return IslText(pairs.wrap().sample_point()); }

absl::Status Violation(const isl::union_map& violated, const std::string& where) {
  std::string statements;
  violated.foreach_map([&](const isl::map& map) {
    absl::StrAppend(&statements, statements.empty() ? "" : ", ", map.domain_tuple_id().name(), " -> ",
                    map.range_tuple_id().name());
  });
  return absl::FailedPreconditionError(absl::StrCat("illegal schedule: dependences ", statements,
                                                    " do not go forward ", where, "; for example ",
                                                    DescribePair(violated)));
}

absl::Status CheckAllScheduled(const isl::union_set& scheduled, const ParsedScop& scop) {
  for (const ParsedStatement& statement : scop.statements) {
    if (statement.kind == v1::Statement::KILL) continue;
    const isl::union_set missing = isl::union_set(statement.domain).subtract(scheduled);
    if (missing.is_empty()) continue;
    return absl::FailedPreconditionError(absl::StrCat("illegal schedule: instances of ", statement.name,
                                                      " are not scheduled; for example ",
                                                      IslText(missing.sample_point())));
  }
  return absl::OkStatus();
}

// Checks `pairs`, { S -> S }, both sides inside `node`'s subtree and at equal times of the nodes above it.
absl::Status CheckNode(const isl::schedule_node& node, const isl::union_map& pairs);

// At a band a pair may stay equal, and is then decided below, or must move forward.
absl::Status CheckBand(const isl::schedule_node_band& band, const isl::union_map& pairs) {
  if (band.n_member() == 0) return CheckNode(band.child(0), pairs);
  const isl::multi_union_pw_aff times = band.partial_schedule();
  const isl::union_map backward = LexGreaterAt(pairs, times);
  if (!backward.is_empty()) return Violation(backward, absl::StrCat("at band ", IslText(times)));
  return CheckNode(band.child(0), pairs.eq_at(times));
}

// Between children of a sequence a pair must go from an earlier to a later one, between those of a set
// nowhere.
absl::Status CheckChildren(const isl::schedule_node& node, const isl::union_map& pairs) {
  const bool ordered = node.isa<isl::schedule_node_sequence>();
  const int count = static_cast<int>(node.n_children());
  isl::union_set others = isl::union_set::empty(pairs.ctx());  // that no sink in the child may come from
  std::vector<isl::union_set> filters;
  for (int i = 0; i < count; ++i) {
    filters.push_back(node.child(i).as<isl::schedule_node_filter>().filter());
    others = others.unite(filters.back());
  }
  for (int i = 0; i < count; ++i) {
    isl::union_set wrong = others.subtract(filters[i]);
    if (ordered) others = wrong;
    const isl::union_map inside = pairs.intersect_range(filters[i]);
    const isl::union_map backward = inside.intersect_domain(wrong);
    if (!backward.is_empty()) return Violation(backward, ordered ? "in a sequence" : "in a set");
    TUNE_RETURN_IF_ERROR(CheckNode(node.child(i).child(0), inside.intersect_domain(filters[i])));
  }
  return absl::OkStatus();
}

absl::Status CheckNode(const isl::schedule_node& node, const isl::union_map& pairs) {
  if (pairs.is_empty()) return absl::OkStatus();
  if (node.isa<isl::schedule_node_leaf>()) return Violation(pairs, "at a leaf");
  if (node.isa<isl::schedule_node_band>()) return CheckBand(node.as<isl::schedule_node_band>(), pairs);
  if (node.isa<isl::schedule_node_sequence>() || node.isa<isl::schedule_node_set>())
    return CheckChildren(node, pairs);
  if (node.isa<isl::schedule_node_expansion>() || node.isa<isl::schedule_node_extension>()) {
    return absl::InternalError(
        "legality check: expansion and extension nodes cannot be checked; check the tree before"
        " they are added");
  }
  return CheckNode(node.child(0), pairs);
}

}  // namespace

absl::Status CheckLegal(IslContext& context, const isl::schedule& schedule, const ParsedScop& scop,
                        const Dependences& dependences) {
  return context.Run("checking a schedule", [&]() -> absl::Status {
    TUNE_RETURN_IF_ERROR(CheckAllScheduled(schedule.domain(), scop));
    return CheckNode(schedule.root().child(0), dependences.validity());
  });
}

absl::Status CheckLegal(IslContext& context, const isl::union_map& schedule, const ParsedScop& scop,
                        const Dependences& dependences) {
  return context.Run("checking a schedule", [&]() -> absl::Status {
    TUNE_RETURN_IF_ERROR(CheckAllScheduled(schedule.domain(), scop));
    // { S -> S } whose source does not run before its sink: time of source >= time of sink.
    const isl::union_map not_before = LexGreaterOrEqual(schedule, schedule);
    const isl::union_map backward = dependences.validity().intersect(not_before);
    if (!backward.is_empty()) return Violation(backward, "");
    return absl::OkStatus();
  });
}

}  // namespace tune
