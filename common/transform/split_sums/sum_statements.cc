#include "common/transform/split_sums/sum_statements.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "common/isl/functions.h"
#include "common/isl/relations.h"
#include "common/scop/expression_parts.h"
#include "common/transform/access_numbers.h"
#include "common/transform/added_statement.h"

namespace tune {

v1::Expression TimesFactor(const CommonFactor& factor, const ParsedStatement& sum,
                           const v1::Expression& value, v1::Statement* totals) {
  const isl::set instances(sum.domain.ctx(), totals->domain());
  std::vector<int> places(totals->accesses_size(), -1);
  for (const int access : AccessesOf(factor.factor)) {
    const std::string& scalar = sum.accesses[access].array;
    const isl::set element(sum.domain.ctx(), absl::StrCat("{ ", scalar, "[] }"));
    AddAccess(MapFromDomainAndRange(instances, element), v1::Access::READ, totals);
    places.push_back(access);
  }
  return MakeOperation(value.c_type(), "*", {WithAccesses(factor.factor, places), value});
}

isl::pw_aff IteratorOf(const isl::set& instances, int position) {
  return isl::pw_aff(VariableOn(instances.space(), position));
}

}  // namespace tune
