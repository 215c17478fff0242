#include "common/transform/parenthesis_blocks/kept_order.h"

#include "common/dependence/update_order.h"
#include "common/isl/relations.h"
#include "common/transform/instance_times.h"

namespace tune {
namespace {

class OrderCheck {
 public:
  OrderCheck(const ParsedScop& scop, const isl::union_map& times, const isl::set& values)
      : scop_(scop), times_(times), values_(values), own_times_(InstanceTimes(scop.schedule)) {}

  bool Keeps(const RenamedStatement& a, const RenamedStatement& b) const {
    const isl::union_map turned =  // { A' -> B' }, of which A' was first and is no more
        LexLess(OwnTimes(a), OwnTimes(b)).intersect(LexGreaterOrEqual(NewTimes(a), NewTimes(b)));
    if (turned.is_empty()) return true;
    const ParsedStatement &first = scop_.statement(a.statement), &second = scop_.statement(b.statement);
    const bool commute = Commute(scop_, first, second);
    for (const ParsedAccess& one : first.accesses) {
      for (const ParsedAccess& other : second.accesses) {
        if (one.array != other.array || (!one.writes() && !other.writes())) continue;
        if (commute && &one == &first.target() && &other == &second.target()) continue;
        const isl::map meet = Elements(one, a).apply_range(Elements(other, b).reverse());  // { A' -> B' }
        if (!turned.is_disjoint(isl::union_map(meet))) return false;
      }
    }
    return true;
  }

 private:
  isl::union_map OwnTimes(const RenamedStatement& of) const {  // { S' -> T }
    return isl::union_map(of.origin).apply_range(own_times_).intersect_params(values_);
  }
  isl::union_map NewTimes(const RenamedStatement& of) const {
    return times_.intersect_domain(isl::union_set(of.origin.domain())).intersect_params(values_);
  }
  isl::map Elements(const ParsedAccess& access, const RenamedStatement& of) const {  // { S' -> A }
    return of.origin.apply_range(access.relation).intersect_params(values_);
  }

  const ParsedScop& scop_;
  const isl::union_map times_;
  const isl::set values_;
  const isl::union_map own_times_;  // { S -> T }
};

}  // namespace

bool KeepsOrder(const ParsedScop& scop, const std::vector<RenamedStatement>& renamed,
                const isl::union_map& times, const isl::set& values) {
  const OrderCheck check(scop, times, values);
  for (const RenamedStatement& a : renamed) {
    for (const RenamedStatement& b : renamed) {
      if (!check.Keeps(a, b)) return false;
    }
  }
  return true;
}

}  // namespace tune
