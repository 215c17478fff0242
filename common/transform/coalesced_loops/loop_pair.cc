#include "common/transform/coalesced_loops/loop_pair.h"

#include <optional>
#include <tuple>
#include <utility>

#include "common/isl/bounds.h"
#include "common/isl/dimensions.h"
#include "common/isl/functions.h"
#include "common/isl/schedule_node.h"
#include "common/isl/tuple_name.h"
#include "common/schedule/statement_group.h"

namespace tune {
namespace {

bool IsIterator(const isl::union_pw_aff& member, const ParsedStatement& statement, int iterator) {
  const ScheduleRow row = ScheduleRow::Of(member, {statement.name});
  const auto time = row.times.find(statement.name);
  return time != row.times.end() &&
         time->second.as_map().is_equal(VariableOn(statement.domain.space(), iterator).as_map());
}

// The iterations of the first two loops where the statement's domain is a box of them, from 0, and of what
// the others are.
std::optional<std::pair<int64_t, int64_t>> FirstTwo(const ParsedStatement& statement,
                                                    const isl::set& values) {
  const isl::set domain = statement.domain.intersect_params(values).project_out_all_params();
  if (Dimensions(domain, isl_dim_set) < 2 || domain.is_empty()) return std::nullopt;
  isl::set box = InsertDimensions(ProjectOut(domain, isl_dim_set, 0, 2), isl_dim_set, 0, 2);
  int64_t counts[2];
  for (int i = 0; i < 2; ++i) {
    const isl::val last = domain.dim_max_val(i);
    if (!last.is_int() || last.is_neg()) return std::nullopt;
    counts[i] = last.num_si() + 1;
    box = LowerBound(UpperBound(box, isl_dim_set, i, last), isl_dim_set, i, 0);
  }
  if (!WithTupleName(box, statement.name).is_equal(domain)) return std::nullopt;
  return std::make_pair(counts[0], counts[1]);
}

std::optional<LoopPair> PairAt(const isl::schedule_node_band& outer, const ParsedScop& scop,
                               const isl::set& values) {
  if (outer.n_member() != 1 || !outer.child(0).isa<isl::schedule_node_band>()) return std::nullopt;
  const auto inner = outer.child(0).as<isl::schedule_node_band>();
  if (inner.n_member() != 1) return std::nullopt;
  const isl::union_set inside = NodeDomain(outer);
  LoopPair pair;
  for (const ParsedStatement& statement : scop.statements) {
    if (inside.intersect(isl::union_set(statement.domain)).is_empty()) continue;
    const auto counts = FirstTwo(statement, values);
    if (!counts || !IsIterator(outer.partial_schedule().at(0), statement, 0) ||
        !IsIterator(inner.partial_schedule().at(0), statement, 1))
      return std::nullopt;
    const bool first = pair.statements.empty();
    if (!first && *counts != std::make_pair(pair.outer, pair.inner)) return std::nullopt;
    std::tie(pair.outer, pair.inner) = *counts;
    pair.statements.push_back(&statement);
  }
  return pair;
}

}  // namespace

std::vector<LoopPair> FindLoopPairs(const ParsedScop& scop, const isl::set& values) {
  std::vector<LoopPair> pairs;
  scop.schedule.root().foreach_descendant_top_down([&](const isl::schedule_node& node) {
    if (!node.isa<isl::schedule_node_band>()) return true;
    if (auto pair = PairAt(node.as<isl::schedule_node_band>(), scop, values))
      pairs.push_back(*std::move(pair));
    return false;
  });
  return pairs;
}

}  // namespace tune
