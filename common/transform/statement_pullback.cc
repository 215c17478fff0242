#include "common/transform/statement_pullback.h"

#include "common/isl/relations.h"
#include "common/isl/tuple_name.h"
#include "common/scop/expression_parts.h"

namespace tune {
namespace {

// The affine texts in a value.
void PullBackValue(const isl::multi_aff& origin, v1::Expression* value) {
  if (value->kind_case() == v1::Expression::kAffine) {
    const isl::pw_aff affine(origin.ctx(), value->affine());  // S -> [v]
    value->set_affine(IslText(affine.pullback(isl::pw_multi_aff(origin))));
  }
  ForEachPart(value, [&](v1::Expression* part) { PullBackValue(origin, part); });
}

}  // namespace

isl::multi_aff InstancesNamed(const std::string& name, const ParsedStatement& statement) {
  const isl::map same = IdentityMap(statement.domain.space().map_from_set());
  return WithTupleName(same, isl_dim_in, name).as_pw_multi_aff().as_multi_aff();
}

void PullBack(const ParsedStatement& statement, const isl::multi_aff& origin, v1::Statement* result) {
  result->set_name(TupleName(origin.domain()));
  for (size_t i = 0; i < statement.accesses.size(); ++i) {
    const isl::map relation = statement.accesses[i].relation.preimage_domain(origin);  // S' -> A
    result->mutable_accesses(static_cast<int>(i))->set_relation(IslText(relation));
  }
  PullBackValue(origin, result->mutable_value());
}

}  // namespace tune
