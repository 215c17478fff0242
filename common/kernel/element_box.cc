#include "common/kernel/element_box.h"

namespace tune {

int64_t ElementBox::Elements() const {
  int64_t elements = 1;
  for (const int64_t extent : extents) elements *= extent;
  return elements;
}

std::optional<ElementBox> BoxAround(const isl::map& touched) {
  const isl::fixed_box hull = touched.range_simple_fixed_box_hull();
  if (!hull.is_valid()) return std::nullopt;
  ElementBox box;
  box.first = hull.offset();
  const isl::multi_val size = hull.size();
  for (unsigned i = 0; i < size.size(); ++i) box.extents.push_back(size.at(static_cast<int>(i)).num_si());
  return box;
}

isl::pw_multi_aff PlaceInBox(const isl::map& access, const isl::map& place, const ElementBox& box) {
  const isl::map at = place.intersect_domain(access.domain());  // S -> [p]
  const isl::pw_multi_aff first =
      isl::pw_multi_aff(box.first).pullback(at.as_pw_multi_aff());  // S -> A[first]
  return access.as_pw_multi_aff().sub(first);
}

}  // namespace tune
