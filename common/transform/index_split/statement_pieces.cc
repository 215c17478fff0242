#include "common/transform/index_split/statement_pieces.h"

#include "common/isl/schedule.h"
#include "common/isl/tuple_name.h"
#include "common/transform/statement_pullback.h"

namespace tune {
namespace {

// A scop in the making, some of whose statements are split. Everything throws isl::exception.
class SplitScop {
 public:
  // `scop` must outlive this object.
  explicit SplitScop(const ParsedScop& scop)
      : scop_(scop),
        result_(scop.proto),
        domain_(isl::union_set::empty(scop.domain.ctx())),
        origin_(isl::union_map::empty(scop.domain.ctx())) {
    for (const ParsedStatement& statement : scop.statements) {
      origin_ = origin_.unite(isl::union_map(InstancesNamed(statement.name, statement).as_map()));
      domain_ = domain_.unite(statement.domain);
    }
  }

  void Split(const StatementSplit& split) {
    const ParsedStatement& statement = scop_.statements[split.statement];
    domain_ = domain_.subtract(statement.domain);
    for (size_t i = 0; i < split.pieces.size(); ++i) {
      const int index = i == 0 ? split.statement : result_.statements_size();
      v1::Statement* const piece = i == 0 ? result_.mutable_statements(index) : result_.add_statements();
      *piece = *statement.proto;
      if (i > 0) {
        const isl::multi_aff origin = InstancesNamed(absl::StrCat("S", index), statement);
        PullBack(statement, origin, piece);
        origin_ = origin_.unite(isl::union_map(origin.as_map()));
      }
      SetDomain(split.pieces[i], piece);
    }
  }

  v1::Scop Build() {
    // A piece's instances stand where the statement's did.
    const isl::schedule schedule = scop_.schedule.pullback(origin_.as_union_pw_multi_aff());
    result_.set_schedule(IslText(IntersectDomain(schedule, domain_)));
    return result_;
  }

 private:
  void SetDomain(const isl::set& piece, v1::Statement* statement) {
    const isl::set instances = WithTupleName(piece, statement->name()).coalesce();
    statement->set_domain(IslText(instances.gist_params(scop_.context)));
    domain_ = domain_.unite(instances);
  }

  const ParsedScop& scop_;
  v1::Scop result_;
  isl::union_set domain_;  // { S } of the result
  isl::union_map origin_;  // { S of the result -> S of scop_ }
};

}  // namespace

v1::Scop SplitStatements(const ParsedScop& scop, const std::vector<StatementSplit>& splits) {
  SplitScop result(scop);
  for (const StatementSplit& split : splits) result.Split(split);
  return result.Build();
}

}  // namespace tune
