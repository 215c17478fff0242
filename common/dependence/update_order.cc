#include "common/dependence/update_order.h"

#include "common/array/element_type.h"
#include "common/dependence/tagged_flow.h"
#include "common/program/atomic_update.h"

namespace tune {
namespace {

// Types that threads of a warp can hand to each other.
bool IsExchangeable(v1::ElementType type) { return type >= v1::ELEMENT_TYPE_INT; }

}  // namespace

isl::union_map AtomicUpdatePairs(IslContext& context, const ParsedScop& scop, bool rounding) {
  isl::union_map pairs = isl::union_map::empty(context.ctx());
  const auto is_free = [&](const ParsedStatement& statement) {
    return statement.kind == v1::Statement::ASSIGN && IsAtomicUpdate(scop.proto, *statement.proto) &&
           (rounding || !IsFloating(TargetType(scop.proto, *statement.proto)));
  };
  for (const ParsedStatement& a : scop.statements) {
    for (const ParsedStatement& b : scop.statements) {
      if (!is_free(a) || !is_free(b) || a.target().array != b.target().array ||
          a.proto->update() != b.proto->update())
        continue;
      const auto targets = [](const ParsedStatement& statement) {
        return TaggedInstances(statement.domain, statement.name, statement.proto->target());
      };
      pairs = pairs.unite(isl::union_map::from_domain_and_range(targets(a), targets(b)));
    }
  }
  return pairs;
}

bool IsUpdate(const ParsedScop& scop, const ParsedStatement& statement) {
  return statement.proto->update() != v1::NONE && !statement.target().of_data &&
         IsExchangeable(scop.array(statement.target().array).element_type());
}

bool Commute(const ParsedScop& scop, const ParsedStatement& a, const ParsedStatement& b) {
  return IsUpdate(scop, a) && IsUpdate(scop, b) && a.proto->update() == b.proto->update() &&
         a.target().array == b.target().array;
}

isl::union_map CommutingUpdates(IslContext& context, const ParsedScop& scop) {
  isl::union_map pairs = isl::union_map::empty(context.ctx());
  for (const ParsedStatement& a : scop.statements) {
    for (const ParsedStatement& b : scop.statements) {
      if (!Commute(scop, a, b)) continue;
      const isl::map from = a.target().relation.intersect_domain(a.domain);
      const isl::map to = b.target().relation.intersect_domain(b.domain);
      pairs = pairs.unite(isl::union_map(from.apply_range(to.reverse())));  // S -> S'
    }
  }
  return pairs;
}

}  // namespace tune
