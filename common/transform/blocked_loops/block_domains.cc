#include "common/transform/blocked_loops/block_domains.h"

#include <set>

#include "common/isl/relations.h"
#include "common/isl/schedule.h"
#include "common/scop/scop_names.h"
#include "common/transform/block_iterator.h"

namespace tune {

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
    const isl::set instances = InBlocks(statement, time, size_, iterator_);
    PutInBlocks(scop_, statement, instances, result_.mutable_statements(static_cast<int>(index)));
    domain_ = domain_.subtract(isl::union_set(statement.domain)).unite(isl::union_set(instances));
    origin_ = origin_.subtract(isl::union_map(IdentityMap(statement.domain.space().map_from_set())));
    origin_ = origin_.unite(isl::union_map(WithoutBlock(instances, statement.name).as_map()));
  }

  v1::Scop Build() {
    const isl::schedule schedule = scop_.schedule.pullback(origin_.as_union_pw_multi_aff());
    result_.set_schedule(IslText(IntersectDomain(schedule, domain_)));
    return result_;
  }

 private:
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
