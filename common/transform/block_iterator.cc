#include "common/transform/block_iterator.h"

#include "common/isl/dimensions.h"
#include "common/isl/functions.h"
#include "common/isl/tuple_name.h"
#include "common/transform/statement_pullback.h"

namespace tune {

isl::multi_aff WithoutBlock(const isl::set& instances, const std::string& statement) {
  return ProjectOutMap(instances.space(), isl_dim_set, 0, 1)
      .set_range_tuple(NamedId(instances.ctx(), statement));
}

isl::set InBlocks(const ParsedStatement& statement, const isl::pw_aff& time, int64_t size,
                  const std::string& iterator) {
  isl::set any = WithTupleName(InsertDimensions(statement.domain, isl_dim_set, 0, 1), statement.name);
  any = WithDimensionName(any, isl_dim_set, 0, iterator);
  const isl::multi_aff origin = WithoutBlock(any, statement.name);        // S[b, x] -> S[x]
  const isl::pw_aff own_time = time.pullback(isl::pw_multi_aff(origin));  // S[b, x] -> [t]
  const isl::space space = origin.domain().space();
  const isl::val count(space.ctx(), size);
  const isl::pw_aff first(VariableOn(space, 0).scale(count));  // S[b, x] -> [size b]
  return statement.domain.preimage(origin)
      .intersect(own_time.ge_set(first))
      .intersect(own_time.lt_set(first.add_constant(count)))
      .coalesce();
}

void PutInBlocks(const ParsedScop& scop, const ParsedStatement& statement, const isl::set& instances,
                 v1::Statement* result) {
  result->clear_iterators();
  result->add_iterators(DimensionName(instances, isl_dim_set, 0));
  result->mutable_iterators()->MergeFrom(statement.proto->iterators());
  result->set_domain(IslText(instances.gist_params(scop.context)));
  PullBack(statement, WithoutBlock(instances, statement.name), result);
}

}  // namespace tune
