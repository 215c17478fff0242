#include "common/dependence/dependence.h"

#include <algorithm>

#include "common/dependence/array_flow.h"
#include "common/dependence/neighbour_reads.h"
#include "common/dependence/universal_schedule.h"
#include "common/dependence/update_order.h"
#include "common/isl/spaces.h"
#include "common/isl/tuple_name.h"

namespace tune {
namespace {

// { S -> A } -> { [S -> R] -> A } with the one tag R = kill[].
isl::union_map TagKills(const isl::union_map& kills) {
  const isl::union_set tag(kills.ctx(), "{ kill[] }");
  const isl::union_map tagger =
      isl::union_map::from_domain_and_range(kills.domain(), tag).domain_map();  // [S -> R] -> S
  return tagger.apply_range(kills);
}

// The part of { S -> A } whose element outlives the region.
isl::union_map WithoutLocals(const ParsedScop& scop, isl::union_map accesses) {
  for (const v1::Array& array : scop.proto.arrays()) {
    if (!array.declared_inside()) continue;
    isl::space space = SetSpace(accesses.ctx(), 0, array.extents_size());
    space = WithTupleName(space, isl_dim_set, array.name());
    accesses = accesses.subtract_range(isl::set::universe(space));
  }
  return accesses;
}

// Coalescing per pair of references keeps each piece simple (often a translation); coalescing the pairs of
// statements would merge a stencil's pieces into one polyhedron that the scheduler needs minutes for.
isl::union_map UntagPairs(const isl::union_map& tagged) { return tagged.coalesce().factor_domain(); }

// { S -> A } or { [S -> R] -> A }: those of `writes` whose elements data decide; isl need not be asked where
// there are none.
isl::union_map Uncertain(const ParsedScop& scop, const isl::union_map& writes,
                         const isl::union_map& certain) {
  const bool any =
      std::any_of(scop.statements.begin(), scop.statements.end(), [](const ParsedStatement& statement) {
        return statement.kind == v1::Statement::ASSIGN && statement.target().of_data;
      });
  return any ? writes.subtract(certain) : isl::union_map::empty(writes.ctx());
}
isl::union_map TaggedUncertainWrites(const ParsedScop& scop) {
  return Uncertain(scop, scop.tagged_writes, scop.tagged_certain_writes);
}

// The order in which accesses are looked at.
struct Order {
  // Where isl's scheduler asks for nothing, relations may come in another form, for less time.
  Order(const ParsedScop& scop, LaterWrites later)
      : everywhere(later == LaterWrites::kAll),
        schedule(everywhere ? OnAllInstances(scop.schedule) : scop.schedule) {}

  ArrayFlow Flow(const FlowAccesses& accesses) const {
    return ComputeArrayFlow(schedule, accesses, everywhere);
  }

  const bool everywhere;
  const isl::schedule schedule;
};

// Kills count as writes that nothing may read from. `free`: pairs that may change places.
void ComputeFlow(const ParsedScop& scop, const Order& order, const isl::union_map& free,
                 Dependences& result) {
  const isl::union_map kills = TagKills(scop.kills);
  const isl::union_map sources = scop.tagged_certain_writes.unite(kills);  // [S -> R] -> A
  const ArrayFlow flow = order.Flow({scop.tagged_reads, sources, TaggedUncertainWrites(scop)});
  result.tagged_flow = flow.dependences.subtract_domain(kills.domain()).subtract(free).coalesce();
  result.flow = UntagPairs(result.tagged_flow);
  result.live_in = WithoutLocals(scop, flow.no_source.domain_factor_domain()).coalesce();
}

// { [S -> R] -> [S -> R] }: each of `earlier` to all of `later`, { [S -> R] -> A }, of its element behind it.
isl::union_map AllPairs(const Order& order, const isl::union_map& earlier, const isl::union_map& later) {
  return order.Flow({later, isl::union_map::empty(later.ctx()), earlier}).dependences;
}

// { [S -> R] -> [S -> R] }: of `reads` and the scop's writes.
isl::union_map ToNextWrites(const ParsedScop& scop, const Order& order, const isl::union_map& reads) {
  // Must sources hide what lies before them, the others are only hidden by them.
  const isl::union_map hidden = reads.unite(TaggedUncertainWrites(scop));
  return order.Flow({scop.tagged_writes, scop.tagged_certain_writes, hidden}).dependences;
}

isl::union_map FalseDependences(const ParsedScop& scop, const Order& order, const isl::union_map& free,
                                LaterWrites later) {
  // Pairs that are free are told apart by their tags.
  const isl::union_map reads = free.is_empty() ? WithMergedNeighbours(scop.tagged_reads) : scop.tagged_reads;
  const isl::union_map pairs = later == LaterWrites::kNext
                                   ? ToNextWrites(scop, order, reads)
                                   : AllPairs(order, reads.unite(scop.tagged_writes), scop.tagged_writes);
  return UntagPairs(pairs.subtract(free));
}

void ComputeLiveOut(const ParsedScop& scop, const Order& order, Dependences& result) {
  const isl::union_map ends = scop.certain_writes.unite(scop.kills);  // S -> A
  const isl::union_map uncertain = Uncertain(scop, scop.writes, scop.certain_writes);
  const ArrayFlow flow = order.Flow({ends, ends, uncertain});
  const isl::union_map overwritten =
      flow.full_dependences.range_factor_range();  // S -> [S -> A], then S -> A
  result.live_out = WithoutLocals(scop, scop.writes.subtract(overwritten)).coalesce();
}

}  // namespace

absl::StatusOr<Dependences> ComputeDependences(IslContext& context, const ParsedScop& scop, bool rounding,
                                               LaterWrites later) {
  return context.Run("computing the dependences", [&]() -> absl::StatusOr<Dependences> {
    Dependences result;
    const isl::union_map free = AtomicUpdatePairs(context, scop, rounding);
    const Order order(scop, later);
    ComputeFlow(scop, order, free, result);
    result.false_dependences = FalseDependences(scop, order, free, later);
    ComputeLiveOut(scop, order, result);
    return result;
  });
}

absl::StatusOr<isl::union_map> AllFalseDependences(IslContext& context, const ParsedScop& scop) {
  return context.Run("computing the pairs of accesses", [&]() -> absl::StatusOr<isl::union_map> {
    return FalseDependences(scop, Order(scop, LaterWrites::kNext), isl::union_map::empty(scop.domain.ctx()),
                            LaterWrites::kAll);
  });
}

}  // namespace tune
