#include "common/transform/blocked_loops/block_loops.h"

#include <algorithm>
#include <set>
#include <vector>

#include "common/isl/schedule_node.h"
#include "common/isl/sets.h"
#include "common/isl/tuple_name.h"
#include "common/schedule/legality.h"
#include "common/schedule/schedule_part.h"
#include "common/schedule/scheduler.h"
#include "common/transform/blocked_loops/block_domains.h"
#include "common/transform/blocked_loops/block_pieces.h"
#include "common/transform/blocked_loops/block_schedule.h"
#include "common/transform/blocked_loops/serial_loops.h"
#include "common/transform/kill_order.h"

namespace tune {
namespace {

// Whether some statement may be a sum of a blocked loop: of those in `names` it updates an array that they
// read, too.
bool MayHaveSum(const std::set<std::string>& names, const ParsedScop& scop) {
  std::map<std::string, int> accesses;  // of each array
  for (const std::string& name : names) {
    for (const ParsedAccess& access : scop.statement(name).accesses) ++accesses[access.array];
  }
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    const ParsedStatement& statement = scop.statement(name);
    return statement.kind == v1::Statement::ASSIGN && statement.proto->update() != v1::NONE &&
           accesses[statement.target().array] > 1;
  });
}

std::set<std::string> StatementsOf(const SerialLoop& loop) {
  std::set<std::string> names;
  for (const auto& [name, time] : loop.times) names.insert(name);
  return names;
}

std::set<std::string> StatementsOf(const ParsedScop& scop) {
  std::set<std::string> names;
  for (const ParsedStatement& statement : scop.statements) names.insert(statement.name);
  return names;
}

// Iterations at the parameters in `values`.
bool HasIterations(const SerialLoop& loop, const ParsedScop& scop, const isl::set& values, int64_t least) {
  isl::set times;  // { [t] }
  for (const auto& [name, time] : loop.times) {
    const isl::set own =
        scop.statement(name).domain.intersect_params(values).apply(time.as_map()).project_out_all_params();
    times = times.is_null() ? own : times.unite(own);
  }
  if (times.is_empty()) return false;
  const isl::val length = times.dim_max_val(0).sub(times.dim_min_val(0));
  return !length.is_int() || length.ge(isl::val(times.ctx(), least - 1));
}

// With one statement at each leaf, in the order of `scop`: isl leaves open which one of independent ones is
// first, and a scop says it.
isl::schedule WithOrderedLeaves(const isl::schedule& schedule, const ParsedScop& scop) {
  const auto order = [&](const isl::schedule_node& node) -> isl::schedule_node {
    if (!node.isa<isl::schedule_node_leaf>()) return node;
    const isl::union_set statements = NodeDomain(node).universe();
    const int count = SetCount(statements);
    if (count < 2) return node;
    isl::union_set_list filters(node.ctx(), count);
    for (const ParsedStatement& statement : scop.statements) {
      const isl::union_set own = statements.intersect(isl::union_set(statement.domain).universe());
      if (!own.is_empty()) filters = filters.add(own);
    }
    return node.insert_sequence(filters);
  };
  return schedule.root().map_descendant_bottom_up(order).schedule();
}

class LoopBlocking {
 public:
  LoopBlocking(IslContext& context, const ParsedScop& scop, const isl::schedule& schedule, int64_t size)
      : context_(context), scop_(scop), schedule_(schedule), size_(size) {}

  // With `loops` in blocks. nullopt: none pays. Those that do not pay are left out of the result.
  absl::StatusOr<std::optional<v1::Scop>> Block(std::vector<SerialLoop> loops) {
    while (!loops.empty()) {
      TUNE_RETURN_IF_ERROR(Cut(loops));
      std::vector<isl::schedule> trees;
      std::vector<SerialLoop> paying;
      for (const SerialLoop& loop : loops) {
        TUNE_ASSIGN_OR_RETURN(
            const std::optional<BlockSchedule> made,
            ScheduleBlocks(context_, *cut_, dependences_, PiecesOf(loop), pieces_->bounded()));
        if (!made || !made->pays) continue;
        trees.push_back(made->tree);
        paying.push_back(loop);
      }
      if (paying.size() == loops.size()) return Finish(loops, trees);
      loops = paying;
    }
    return std::nullopt;
  }

 private:
  // Sets pieces_, cut_ and dependences_.
  absl::Status Cut(const std::vector<SerialLoop>& loops) {
    TUNE_ASSIGN_OR_RETURN(const std::shared_ptr<const ParsedScop> blocked,
                          ParseScop(context_, WithBlockIterators(scop_, loops, size_)));
    pieces_.emplace(*blocked, loops, size_);
    TUNE_ASSIGN_OR_RETURN(cut_, ParseScop(context_, SplitStatements(*blocked, pieces_->splits())));
    TUNE_ASSIGN_OR_RETURN(dependences_, ComputeDependences(context_, *cut_));
    return absl::OkStatus();
  }

  // In the scop's order.
  std::vector<std::string> PiecesOf(const SerialLoop& loop) const {
    std::set<std::string> own;
    for (const auto& [name, time] : loop.times)
      own.insert(pieces_->names().at(name).begin(), pieces_->names().at(name).end());
    std::vector<std::string> ordered;
    for (const ParsedStatement& statement : cut_->statements) {
      if (own.count(statement.name) > 0) ordered.push_back(statement.name);
    }
    return ordered;
  }

  absl::StatusOr<std::optional<v1::Scop>> Finish(const std::vector<SerialLoop>& loops,
                                                 const std::vector<isl::schedule>& trees) {
    const auto blocked = [&](const isl::union_set& domain) -> std::optional<isl::schedule> {
      for (size_t i = 0; i < loops.size(); ++i) {
        if (HasStatement(domain, loops[i])) return trees[i];
      }
      return std::nullopt;
    };
    const isl::schedule tree =
        WithOrderedLeaves(SchedulePart(schedule_.root().child(0), schedule_.domain(), blocked), *cut_);
    TUNE_RETURN_IF_ERROR(CheckLegal(context_, tree, *cut_, dependences_));
    v1::Scop result = cut_->proto;
    result.set_schedule(IslText(WithKills(tree, *cut_)));
    return result;
  }

  static bool HasStatement(const isl::union_set& domain, const SerialLoop& loop) {
    bool has = false;
    domain.foreach_set([&](const isl::set& set) { has = has || loop.times.count(TupleName(set)) > 0; });
    return has;
  }

  IslContext& context_;
  const ParsedScop& scop_;
  const isl::schedule schedule_;  // of scop_
  const int64_t size_;
  std::shared_ptr<const ParsedScop> cut_;
  std::optional<BlockPieces> pieces_;  // of which cut_ is made
  Dependences dependences_;            // of cut_
};

}  // namespace

absl::StatusOr<std::optional<v1::Scop>> BlockLoops(IslContext& context, const ParsedScop& scop,
                                                   const Dependences& dependences,
                                                   const std::map<std::string, int64_t>& values,
                                                   int64_t size) {
  if (!MayHaveSum(StatementsOf(scop), scop)) return std::nullopt;
  const absl::StatusOr<isl::schedule> schedule = ComputeSchedule(context, scop, dependences, {});
  if (!schedule.ok()) return std::nullopt;
  return context.Run("blocking loops", [&]() -> absl::StatusOr<std::optional<v1::Scop>> {
    const isl::set known = ParameterValues(context, values);
    std::vector<SerialLoop> loops;
    for (const SerialLoop& loop : FindSerialLoops(*schedule)) {
      if (MayHaveSum(StatementsOf(loop), scop) && HasIterations(loop, scop, known, 2 * size))
        loops.push_back(loop);
    }
    if (loops.empty()) return std::nullopt;
    return LoopBlocking(context, scop, *schedule, size).Block(loops);
  });
}

}  // namespace tune
