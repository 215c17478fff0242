#include "client/extract/arrays/outside_elements.h"

#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/extract/arrays/array_shape.h"
#include "common/isl/bounds.h"
#include "common/isl/dimensions.h"
#include "common/isl/functions.h"
#include "common/isl/points.h"

namespace tune {
namespace {

// [params] -> { [n] } of a dimension; nothing where it is not known.
std::optional<isl::pw_aff> ExtentOf(Region& region, const ArrayTable::Entry& entry, const v1::Array& array,
                                    int d) {
  int64_t number = 0;
  if (absl::SimpleAtoi(array.extents(d).c_expression(), &number)) {
    const isl::aff zero = isl::aff::zero_on_domain(region.parameter_space);
    return isl::pw_aff(zero.add_constant(isl::val(region.ctx, std::to_string(number))));
  }
  // A pointer that the region moves does not point to what it was declared with.
  if (array.is_flat() || region.variables.IsWritten(entry.variable)) return std::nullopt;
  return KnownExtent(region, *entry.variable, d, /*products=*/false);
}

// "where n = 4, " of the parameters that the extent depends on; empty for a number.
std::string Place(const isl::pw_aff& extent, const isl::point& element) {
  std::vector<std::string> values;
  const isl::space space = element.space();
  for (int i = 0; i < Dimensions(extent.space(), isl_dim_param); ++i) {
    const std::string name = DimensionName(extent.space(), isl_dim_param, i);
    if (!Involves(extent, isl_dim_param, i, 1)) continue;
    const isl::val value = CoordinateOf(element, isl_dim_param, FindDimension(space, isl_dim_param, name));
    values.push_back(absl::StrCat(name, " = ", value.num_si()));
  }
  return values.empty() ? "" : absl::StrCat("where ", absl::StrJoin(values, ", "), ", ");
}

// "where n = 4, dimension 1 of `a` has 4 elements, and the region accesses a[4]"
std::string Describe(const std::string& array, int d, const isl::pw_aff& extent, const isl::set& outside) {
  const isl::point element = outside.sample_point();
  std::vector<std::string> indices;
  for (int i = 0; i < Dimensions(outside, isl_dim_set); ++i)
    indices.push_back(std::to_string(CoordinateOf(element, isl_dim_set, i).num_si()));
  const isl::val count = extent.insert_domain(outside.space()).eval(element);
  return absl::StrCat(Place(extent, element), "dimension ", d + 1, " of `", array, "` has ", count.num_si(),
                      " elements, and the region accesses ", array, "[", absl::StrJoin(indices, "]["), "]");
}

}  // namespace

isl::set CertainlyOutside(const isl::set& elements, int d, const isl::pw_aff& extent) {
  const isl::pw_aff index = isl::pw_aff(VariableOn(elements.space(), d));
  const isl::pw_aff zero = isl::pw_aff(isl::aff::zero_on_domain(elements.space()));
  const isl::set before = elements.intersect(index.lt_set(zero));  // [params] -> { A[a, ...] }
  const isl::set behind = elements.intersect(index.ge_set(extent.insert_domain(elements.space())));
  for (const isl::set& outside : {before, behind, before.unite(behind)}) {
    if (elements.params().is_subset(outside.params())) return outside;
  }
  return isl::set::empty(elements.space());
}

std::optional<Refusal> RefuseOutside(Region& region, const ArrayTable::Entry& entry, const v1::Array& array) {
  std::vector<std::optional<isl::pw_aff>> extents;
  for (int d = 0; d < array.extents_size(); ++d) extents.push_back(ExtentOf(region, entry, array, d));
  for (const auto& [relation, use] : entry.certain) {
    const isl::set elements = relation.range().intersect_params(region.context);  // { A[a, ...] }
    for (int d = 0; d < array.extents_size(); ++d) {
      if (!extents[d]) continue;
      const isl::set outside = CertainlyOutside(elements, d, *extents[d]);
      if (outside.is_empty()) continue;
      return Refusal{use, Describe(entry.name, d, *extents[d], outside),
                     "correct the bound of the loop, or the size of the array"};
    }
  }
  return std::nullopt;
}

}  // namespace tune
