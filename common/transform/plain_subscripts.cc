#include "common/transform/plain_subscripts.h"

#include <set>

#include "common/isl/bounds.h"
#include "common/isl/dimensions.h"
#include "common/isl/functions.h"

namespace tune {

std::optional<isl::multi_aff> AffineElement(const isl::map& relation) {
  if (!relation.is_single_valued()) return std::nullopt;
  const isl::pw_multi_aff element = relation.as_pw_multi_aff();
  if (!element.isa_multi_aff()) return std::nullopt;
  return element.as_multi_aff();
}

std::vector<std::optional<int>> PlainSubscripts(const isl::map& relation) {
  std::vector<std::optional<int>> iterators(Dimensions(relation, isl_dim_out));
  const std::optional<isl::multi_aff> element = AffineElement(relation);
  if (!element) return iterators;
  for (size_t d = 0; d < iterators.size(); ++d) {
    const isl::aff subscript = element->at(static_cast<int>(d));
    for (int i = 0; i < Dimensions(relation, isl_dim_in); ++i) {
      const isl::aff plain = VariableOn(element->domain().space(), i);
      if (subscript.as_map().is_equal(plain.as_map())) iterators[d] = i;
    }
  }
  return iterators;
}

std::optional<std::vector<int>> SubscriptIterators(const isl::map& relation) {
  const std::optional<isl::multi_aff> element = AffineElement(relation);
  if (!element) return std::nullopt;
  std::set<int> iterators;
  for (unsigned d = 0; d < element->size(); ++d) {
    const isl::aff subscript = element->at(static_cast<int>(d));
    for (int i = 0; i < Dimensions(relation, isl_dim_in); ++i) {
      if (Involves(subscript, isl_dim_in, i, 1)) iterators.insert(i);
    }
  }
  return std::vector<int>(iterators.begin(), iterators.end());
}

}  // namespace tune
