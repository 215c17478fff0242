#include "client/extract/outside_elements.h"

#include <string>

#include "common/isl/dimensions.h"
#include "common/isl/functions.h"

namespace tune {

isl::set CertainlyOutside(const isl::set& elements, int d, int64_t extent) {
  const isl::pw_aff index = isl::pw_aff(VariableOn(elements.space(), d));
  const isl::aff zero = isl::aff::zero_on_domain(elements.space());
  const isl::aff end = zero.add_constant(isl::val(elements.ctx(), std::to_string(extent)));
  const isl::set before = elements.intersect(index.lt_set(isl::pw_aff(zero)));  // [params] -> { A[a, ...] }
  const isl::set behind = elements.intersect(index.ge_set(isl::pw_aff(end)));
  for (const isl::set& outside : {before, behind, before.unite(behind)}) {
    if (elements.params().is_subset(outside.params())) return outside;
  }
  return isl::set::empty(elements.space());
}

}  // namespace tune
