#include "common/dependence/update_order.h"

namespace tune {
namespace {

// Types that threads of a warp can hand to each other.
bool IsExchangeable(v1::ElementType type) { return type >= v1::ELEMENT_TYPE_INT; }

}  // namespace

bool IsUpdate(const ParsedScop& scop, const ParsedStatement& statement) {
  return statement.proto->update() != v1::NONE &&
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
