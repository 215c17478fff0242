#include "common/transform/added_statement.h"

#include <algorithm>
#include <vector>

#include "common/isl/dimensions.h"
#include "common/isl/tuple_name.h"
#include "common/transform/access_numbers.h"

namespace tune {

v1::Statement* AddStatement(const isl::set& instances, int line, v1::Scop* scop) {
  v1::Statement* statement = scop->add_statements();
  statement->set_name(TupleName(instances));
  statement->set_kind(v1::Statement::ASSIGN);
  for (int i = 0; i < Dimensions(instances, isl_dim_set); ++i)
    statement->add_iterators(DimensionName(instances, isl_dim_set, i));
  statement->set_domain(IslText(instances));
  statement->set_line(line);
  return statement;
}

int AddAccess(const isl::map& relation, v1::Access::Kind kind, v1::Statement* statement) {
  v1::Access* access = statement->add_accesses();
  access->set_array(relation.range_tuple_id().name());
  access->set_kind(kind);
  access->set_relation(IslText(relation));
  return statement->accesses_size() - 1;
}

void KeepValue(const v1::Expression& value, v1::Statement* statement) {
  std::vector<int> kept = AccessesOf(value);
  kept.push_back(statement->target());
  std::sort(kept.begin(), kept.end());
  const v1::Statement all = *statement;
  const v1::Expression renumbered = WithAccesses(value, kept);
  statement->clear_accesses();
  for (const int access : kept) *statement->add_accesses() = all.accesses(access);
  *statement->mutable_value() = renumbered;
  statement->set_target(static_cast<int>(std::find(kept.begin(), kept.end(), all.target()) - kept.begin()));
}

}  // namespace tune
