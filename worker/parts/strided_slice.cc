#include "worker/parts/strided_slice.h"

#include "common/isl/bounds.h"
#include "common/isl/dimensions.h"
#include "common/isl/functions.h"
#include "common/isl/sets.h"

namespace tune {
namespace {

// { [a] }: the subscripts along one dimension.
isl::set SubscriptsOf(const isl::set& elements, int dimension) {
  const int after = Dimensions(elements, isl_dim_set) - dimension - 1;
  return ProjectOut(ProjectOut(elements, isl_dim_set, dimension + 1, after), isl_dim_set, 0, dimension);
}

isl::pw_aff One(const isl::pw_aff& like) { return like.sub(like).add_constant(1); }

// `subscripts`: { [a] }, with bounds.
SliceDimension DimensionOf(const isl::set& subscripts, const PartOfLoop& part) {
  const isl::set hull(SimpleHull(subscripts));
  const isl::pw_aff first = DimensionMin(hull, 0), distance = DimensionMax(hull, 0).sub(first);
  isl::val stride = subscripts.stride(0);
  isl::pw_aff width = One(first);
  if (stride.is_one()) {
    const isl::set of_one = subscripts.intersect_params(part.one_value);
    if (!of_one.is_empty()) stride = of_one.stride(0);
    // All subscripts of a value are the same one: neighbours are those of the next value.
    if (stride.is_zero()) stride = isl::val::one(stride.ctx());
    if (!stride.is_one()) width = part.values;
  } else if (stride.is_zero()) {
    stride = isl::val::one(stride.ctx());
  }
  return {first, distance.scale_down(stride).floor().add_constant(1), width, stride.num_si()};
}

// { A }: those that the dimension has.
isl::set ElementsOf(const SliceDimension& dimension, int position, const isl::space& space) {
  const auto on_elements = [&](const isl::pw_aff& value) { return value.insert_domain(space); };
  const isl::pw_aff subscript(VariableOn(space, position));
  const isl::pw_aff distance = subscript.sub(on_elements(dimension.first));
  const isl::val stride(space.ctx(), dimension.stride);
  const isl::pw_aff run = distance.scale_down(stride).floor();
  return run.ge_set(distance.sub(distance))
      .intersect(run.lt_set(on_elements(dimension.count)))
      .intersect(distance.mod(stride).lt_set(on_elements(dimension.width)));
}

}  // namespace

std::optional<StridedSlice> SliceAround(const isl::set& elements, const PartOfLoop& part,
                                        const isl::set& context) {
  const isl::set known = elements.intersect_params(context).coalesce();
  if (!IsBounded(isl::set(SimpleHull(known)))) return std::nullopt;
  StridedSlice slice = {isl::set::universe(elements.space()).intersect_params(known.params()), {}};
  for (int i = 0; i < Dimensions(elements, isl_dim_set); ++i) {
    slice.dimensions.push_back(DimensionOf(SubscriptsOf(known, i).coalesce(), part));
    slice.elements = slice.elements.intersect(ElementsOf(slice.dimensions.back(), i, elements.space()));
  }
  slice.elements = slice.elements.coalesce();
  return slice;
}

}  // namespace tune
