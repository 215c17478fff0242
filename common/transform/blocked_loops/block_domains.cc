#include "common/transform/blocked_loops/block_domains.h"

#include <set>

#include "common/isl/dimensions.h"
#include "common/isl/functions.h"
#include "common/isl/relations.h"
#include "common/isl/schedule.h"
#include "common/isl/tuple_name.h"
#include "common/scop/scop_names.h"
#include "common/transform/statement_pullback.h"

namespace tune {

isl::multi_aff WithoutBlock(const isl::set& instances) {
  return ProjectOutMap(instances.space(), isl_dim_set, 0, 1)
      .set_range_tuple(NamedId(instances.ctx(), TupleName(instances)));
}

namespace {

class BlockedScop {
 public:
  BlockedScop(const ParsedScop& scop, int64_t size)
      : scop_(scop), size_(size), result_(scop.proto), domain_(scop.domain) {
    const std::set<std::string> taken = NamesOf(scop.proto);
    while (taken.count(iterator_) > 0) iterator_ += "_";
    origin_ = isl::union_map::empty(scop.domain.ctx());
    for (const ParsedStatement& statement : scop.statements)
      origin_ = origin_.unite(isl::union_map(IdentityMap(statement.domain.space().map_from_set())));
  }

  // `time`: { S -> [t] } of the statement.
  void Block(const isl::pw_aff& time, size_t index) {
    const ParsedStatement& statement = scop_.statements[index];
    isl::set any = WithTupleName(InsertDimensions(statement.domain, isl_dim_set, 0, 1), statement.name);
    any = WithDimensionName(any, isl_dim_set, 0, iterator_);
    const isl::multi_aff origin = WithoutBlock(any);  // { S[b, x] -> S[x] }
    const isl::set instances = Blocked(time, statement.domain, origin);
    v1::Statement* const changed = result_.mutable_statements(static_cast<int>(index));
    changed->clear_iterators();
    changed->add_iterators(iterator_);
    changed->mutable_iterators()->MergeFrom(statement.proto->iterators());
    changed->set_domain(IslText(instances.gist_params(scop_.context)));
    PullBack(statement, origin, changed);
    domain_ = domain_.subtract(isl::union_set(statement.domain)).unite(isl::union_set(instances));
    origin_ = origin_.subtract(isl::union_map(IdentityMap(statement.domain.space().map_from_set())));
    origin_ = origin_.unite(isl::union_map(origin.as_map()));
  }

  v1::Scop Build() {
    const isl::schedule schedule = scop_.schedule.pullback(origin_.as_union_pw_multi_aff());
    result_.set_schedule(IslText(IntersectDomain(schedule, domain_)));
    return result_;
  }

 private:
  // { S[b, x] : x in the domain and size b <= t(x) < size (b + 1) }
  isl::set Blocked(const isl::pw_aff& own_time, const isl::set& domain, const isl::multi_aff& origin) const {
    const isl::pw_aff time = own_time.pullback(isl::pw_multi_aff(origin));  // S[b, x] -> [t]
    const isl::space space = origin.domain().space();
    const isl::val size(space.ctx(), size_);
    const isl::pw_aff first(VariableOn(space, 0).scale(size));
    return domain.preimage(origin)
        .intersect(time.ge_set(first))
        .intersect(time.lt_set(first.add_constant(size)))
        .coalesce();
  }

  const ParsedScop& scop_;
  const int64_t size_;
  v1::Scop result_;
  std::string iterator_ = "block";
  isl::union_set domain_;  // { S } of the result
  isl::union_map origin_;  // { S of the result -> S of scop_ }
};

}  // namespace

v1::Scop WithBlockIterators(const ParsedScop& scop, const std::vector<SerialLoop>& loops, int64_t size) {
  BlockedScop blocked(scop, size);
  for (const SerialLoop& loop : loops) {
    for (size_t i = 0; i < scop.statements.size(); ++i) {
      const auto time = loop.times.find(scop.statements[i].name);
      if (time != loop.times.end()) blocked.Block(time->second, i);
    }
  }
  return blocked.Build();
}

}  // namespace tune
