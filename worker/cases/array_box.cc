#include "worker/cases/array_box.h"

#include "common/isl/bounds.h"
#include "common/isl/dimensions.h"
#include "common/isl/functions.h"
#include "common/isl/sets.h"
#include "common/isl/tuple_name.h"
#include "worker/lower/expression_lowering.h"

namespace tune {
namespace {

// Of one dimension, functions of the parameters for which there are elements.
struct Extremes {
  isl::pw_aff first, last;
};

isl::set HullOf(const isl::set& elements) { return isl::set(SimpleHull(elements.coalesce())); }

// Nothing for scalars, and where some dimension has no bounds. `hull`: { A }.
std::vector<Extremes> ExtremesOf(const isl::set& hull) {
  std::vector<Extremes> extremes;
  if (!IsBounded(hull)) return extremes;
  for (int i = 0; i < Dimensions(hull, isl_dim_set); ++i)
    extremes.push_back({DimensionMin(hull, i), DimensionMax(hull, i)});
  return extremes;
}

}  // namespace

std::map<std::string, ArrayBox> BoxesOf(const isl::union_map& accesses, const isl::union_map& within,
                                        const isl::set& context, const isl::ast_build& build) {
  std::map<std::string, ArrayBox> boxes;
  const ExpressionLowering expressions({});
  const isl::union_set all = within.range();
  accesses.range().foreach_set([&](const isl::set& elements) {  // { A }
    // Of fewer elements the simple hull may be the larger one.
    const isl::set hull = HullOf(elements).intersect(HullOf(all.extract_set(elements.space())));
    ArrayBox box;
    box.any = expressions.Lower(build.expr_from(hull.params().gist(context)));
    for (const Extremes& dimension : ExtremesOf(hull)) {
      box.first.push_back(expressions.Lower(build.expr_from(dimension.first)));
      box.last.push_back(expressions.Lower(build.expr_from(dimension.last)));
    }
    if (!box.first.empty()) boxes.emplace(TupleName(elements), std::move(box));
  });
  return boxes;
}

std::optional<isl::set> BoxAround(const isl::set& elements) {
  const std::vector<Extremes> extremes = ExtremesOf(HullOf(elements));
  if (extremes.empty()) return std::nullopt;
  const isl::space space = elements.space();
  isl::set box = isl::set::universe(space);
  for (size_t i = 0; i < extremes.size(); ++i) {
    const isl::pw_aff subscript(VariableOn(space, static_cast<int>(i)));  // { A -> [a] }
    box = box.intersect(subscript.ge_set(extremes[i].first.insert_domain(space)));
    box = box.intersect(subscript.le_set(extremes[i].last.insert_domain(space)));
  }
  return box;
}

}  // namespace tune
