#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/isl/dimensions.h"
#include "common/isl/functions.h"
#include "common/isl/points.h"
#include "common/scop/certain_access.h"
#include "common/scop/outside_access.h"
#include "common/scop/parameter_values.h"
#include "common/scop/scop.h"

namespace tune {
namespace {

// Whether C says how many elements the array has in each dimension.
bool IsDeclared(const v1::Array& array) {
  return !array.is_pointer() && !array.is_flat() &&
         std::none_of(array.extents().begin(), array.extents().end(),
                      [](const v1::Extent& extent) { return extent.c_expression().empty(); });
}

// { S -> A }: those of the relation, of numbers alone, that lie outside of an array of these extents. What
// lies in another row of it is found by C, if not by its rules.
isl::map Outside(const isl::map& relation, const v1::ArrayExtents& extents) {
  const isl::space space = relation.space().range();
  const isl::aff zero = isl::aff::zero_on_domain(space);
  const auto number = [&](int64_t value) { return isl::val(relation.ctx(), std::to_string(value)); };
  isl::aff place = zero;
  int64_t elements = 1;
  for (int d = extents.extents_size() - 1; d >= 0; --d) {
    place = place.add(VariableOn(space, d).scale(number(elements)));
    elements *= extents.extents(d);
  }
  const isl::set inside =
      isl::pw_aff(place)
          .ge_set(isl::pw_aff(zero))
          .intersect(isl::pw_aff(place).lt_set(isl::pw_aff(zero.add_constant(number(elements)))));
  return relation.subtract(relation.intersect_range(inside));
}

std::string Describe(const v1::Statement& statement, const isl::map& outside,
                     const v1::ArrayExtents& extents) {
  const isl::set pairs = outside.wrap().flatten();
  const isl::point point = pairs.sample_point();
  const auto at = [&](int dimension) { return CoordinateOf(point, isl_dim_set, dimension).num_si(); };
  std::vector<std::string> subscripts, iterators;
  const int loops = statement.iterators_size();
  for (int i = 0; i < loops; ++i) iterators.push_back(absl::StrCat(statement.iterators(i), " = ", at(i)));
  for (int d = 0; d < extents.extents_size(); ++d) subscripts.push_back(absl::StrCat(at(loops + d)));
  return absl::StrCat("line ", statement.line(), ": ", extents.name(), "[", absl::StrJoin(subscripts, "]["),
                      "] of ", absl::StrJoin(extents.extents(), " x "), " elements",
                      iterators.empty() ? "" : ", where ", absl::StrJoin(iterators, ", "));
}

std::string Find(const ParsedScop& scop, const v1::Reference& reference, const isl::set& values) {
  for (const ParsedStatement& statement : scop.statements) {
    if (statement.kind == v1::Statement::KILL) continue;
    const std::vector<bool> certain = CertainAccesses(scop.proto, *statement.proto);
    for (size_t a = 0; a < statement.accesses.size(); ++a) {
      const v1::Array& array = scop.array(statement.accesses[a].array);
      const bool is_target = static_cast<int>(a) == statement.proto->target();
      const bool by_data = statement.accesses[a].of_data || !certain[a];
      if (!IsDeclared(array) || (by_data && !is_target)) continue;
      for (const v1::ArrayExtents& extents : reference.arrays()) {
        if (extents.name() != array.name() || extents.extents_size() != array.extents_size()) continue;
        const isl::map relation = statement.accesses[a]
                                      .relation.intersect_domain(statement.domain)
                                      .intersect_params(values)
                                      .project_out_all_params();
        const isl::map outside = Outside(relation, extents);
        if (outside.is_empty()) continue;
        return absl::StrCat(Describe(*statement.proto, outside, extents),
                            certain[a] ? "" : ", unless data prevent it, which tuned code does not wait for");
      }
    }
  }
  return "";
}

}  // namespace

absl::StatusOr<std::string> FindOutsideAccess(const v1::Scop& scop, const v1::Reference& reference) {
  IslContext context;
  return context.Run("comparing accesses with sizes", [&]() -> absl::StatusOr<std::string> {
    TUNE_ASSIGN_OR_RETURN(const std::shared_ptr<const ParsedScop> parsed, ParseScop(context, scop));
    return Find(*parsed, reference, ParameterValues(context, ParameterValueMap(reference)));
  });
}

absl::Status CheckInside(const v1::Scop& scop, const v1::Reference& reference) {
  const absl::StatusOr<std::string> outside = FindOutsideAccess(scop, reference);
  if (!outside.ok() || outside->empty()) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("the original region leaves an array at these sizes: ", *outside,
                   "; correct the bound of the loop, or the size of the array"));
}

}  // namespace tune
