#include "common/transform/index_split/index_split.h"

#include "common/isl/relations.h"
#include "common/isl/schedule.h"
#include "common/isl/tuple_name.h"
#include "common/transform/index_split/split_plan.h"

namespace tune {
namespace {

// A scop in the making, some of whose statements are split.
class SplitScop {
 public:
  // `scop` must outlive this object. Everything throws isl::exception.
  explicit SplitScop(const ParsedScop& scop)
      : scop_(scop),
        result_(scop.proto),
        domain_(isl::union_set::empty(scop.domain.ctx())),
        origin_(isl::union_map::empty(scop.domain.ctx())) {
    for (const ParsedStatement& statement : scop.statements) {
      AddOrigin(statement, statement.name);
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
      Rename(statement, absl::StrCat("S", index), piece);
      SetDomain(split.pieces[i], piece);
      if (i > 0) AddOrigin(statement, piece->name());
    }
  }

  v1::Scop Build() {
    // A piece's instances stand where the statement's did.
    const isl::schedule schedule = scop_.schedule.pullback(origin_.as_union_pw_multi_aff());
    result_.set_schedule(IslText(IntersectDomain(schedule, domain_)));
    return result_;
  }

 private:
  // Whatever instances `name` has are the statement's of the same iterators.
  void AddOrigin(const ParsedStatement& statement, const std::string& name) {
    const isl::map same = IdentityMap(statement.domain.space().map_from_set());
    origin_ = origin_.unite(WithTupleName(same, isl_dim_in, name));
  }

  void SetDomain(const isl::set& piece, v1::Statement* statement) {
    const isl::set instances = WithTupleName(piece, statement->name()).coalesce();
    statement->set_domain(IslText(instances.gist_params(scop_.context)));
    domain_ = domain_.unite(instances);
  }

  void Rename(const ParsedStatement& from, const std::string& name, v1::Statement* statement) const {
    if (name == from.name) return;
    statement->set_name(name);
    for (size_t i = 0; i < from.accesses.size(); ++i) {
      const isl::map relation = WithTupleName(from.accesses[i].relation, isl_dim_in, name);
      statement->mutable_accesses(static_cast<int>(i))->set_relation(IslText(relation));
    }
    RenameIn(name, statement->mutable_value());
  }

  void RenameIn(const std::string& name, v1::Expression* value) const {
    if (value->kind_case() == v1::Expression::kAffine) {
      const isl::pw_aff affine(scop_.domain.ctx(), value->affine());
      const isl::pw_aff renamed = WithTupleId(affine, isl_dim_in, NamedId(scop_.domain.ctx(), name));
      value->set_affine(IslText(renamed));
    }
    if (value->has_operation()) {
      for (v1::Expression& operand : *value->mutable_operation()->mutable_operands())
        RenameIn(name, &operand);
    }
    if (value->has_call()) {
      for (v1::Expression& argument : *value->mutable_call()->mutable_arguments()) RenameIn(name, &argument);
    }
    if (value->has_cast()) RenameIn(name, value->mutable_cast()->mutable_operand());
  }

  const ParsedScop& scop_;
  v1::Scop result_;
  isl::union_set domain_;  // { S } of the result
  isl::union_map origin_;  // { S of the result -> S of scop_ }
};

}  // namespace

absl::StatusOr<std::optional<v1::Scop>> SplitIndexSets(IslContext& context, const ParsedScop& scop,
                                                       const Dependences& dependences) {
  return context.Run("splitting index sets", [&]() -> absl::StatusOr<std::optional<v1::Scop>> {
    const std::vector<StatementSplit> splits = PlanSplits(scop, dependences);
    if (splits.empty()) return std::nullopt;
    SplitScop result(scop);
    for (const StatementSplit& split : splits) result.Split(split);
    return result.Build();
  });
}

}  // namespace tune
