#include "worker/parts/part_slices.h"

#include <algorithm>
#include <optional>

#include "absl/strings/str_cat.h"
#include "common/isl/ast.h"
#include "common/isl/bounds.h"
#include "common/isl/sets.h"
#include "common/isl/tuple_name.h"
#include "common/scop/scop.h"
#include "worker/cases/array_box.h"
#include "worker/lower/expression_lowering.h"
#include "worker/parts/outermost_loop.h"
#include "worker/parts/strided_slice.h"

namespace tune {
namespace {

using Slices = std::vector<StridedSlice>;

// Around each piece of the set, { A }; nothing where one has no bounds.
std::optional<Slices> SlicesAround(const std::vector<isl::set>& pieces, const PartOfLoop& loop,
                                   const isl::set& context) {
  Slices slices;
  for (const isl::set& piece : pieces) {
    std::optional<StridedSlice> slice = SliceAround(piece, loop, context);
    if (!slice) return std::nullopt;
    slices.push_back(*std::move(slice));
  }
  return slices;
}

// { A }: what each access of the part writes of the array; equal ones once.
std::vector<isl::set> WrittenByEach(const ParsedScop& part, const std::string& array) {
  std::vector<isl::set> written;
  for (const ParsedStatement& statement : part.statements) {
    for (const ParsedAccess& access : statement.accesses) {
      if (!access.writes() || access.array != array) continue;
      const isl::set elements = access.relation.intersect_domain(statement.domain).range();
      const auto same = [&](const isl::set& other) { return elements.is_equal(other); };
      if (!elements.is_empty() && std::none_of(written.begin(), written.end(), same))
        written.push_back(elements);
    }
  }
  return written;
}

// { A }.
isl::set ElementsOf(const Slices& slices) {
  isl::set elements = slices.front().elements;
  for (const StridedSlice& slice : slices) elements = elements.unite(slice.elements);
  return elements;
}

// What of an array is written and used by a part, and written by others: { A }.
struct Uses {
  isl::set written, used, beside;
};

bool CanBeBroughtBack(const Slices& slices, const Uses& uses) {
  const isl::set elements = ElementsOf(slices);
  return uses.written.is_subset(elements) && elements.is_subset(uses.used) &&
         elements.intersect(uses.beside).is_empty();
}

// The fewest that are exactly what is written; else the fewest with nothing of what others write.
std::optional<Slices> Choose(const Uses& uses, const std::vector<isl::set>& by_access, const PartOfLoop& loop,
                             const isl::set& context) {
  constexpr size_t kMostSlices = 8;
  std::vector<Slices> choices;
  for (const std::vector<isl::set>& pieces : {std::vector<isl::set>{uses.written}, by_access}) {
    if (pieces.size() > kMostSlices) continue;
    std::optional<Slices> slices = SlicesAround(pieces, loop, context);
    if (slices && CanBeBroughtBack(*slices, uses)) choices.push_back(*std::move(slices));
  }
  for (const Slices& slices : choices) {
    if (ElementsOf(slices).is_subset(uses.written)) return slices;
  }
  return choices.empty() ? std::nullopt : std::make_optional(choices.front());
}

PartSlice Lower(const std::string& array, const StridedSlice& slice, const isl::set& context,
                const isl::ast_build& build) {
  const ExpressionLowering expressions({});
  const auto lower = [&](const isl::pw_aff& value) { return expressions.Lower(build.expr_from(value)); };
  PartSlice lowered = {array, expressions.Lower(build.expr_from(slice.elements.params().gist(context))), {}};
  for (const SliceDimension& dimension : slice.dimensions)
    lowered.dimensions.push_back(
        {lower(dimension.first), lower(dimension.count), lower(dimension.width), dimension.stride});
  return lowered;
}

isl::set ParameterSet(IslContext& context, const DividedRegion& divided, const std::string& condition) {
  return isl::set(context.ctx(),
                  absl::StrCat("[", divided.first, ", ", divided.end, "] -> { ", condition, " }"));
}

PartOfLoop PartOf(IslContext& context, const DividedRegion& divided, const OutermostLoop& loop) {
  const std::string& first = divided.first;
  const std::string& end = divided.end;
  const isl::set inside =
      ParameterSet(context, divided, absl::StrCat("[v] : ", first, " <= v < ", end));  // { [v] }
  const isl::set hull(SimpleHull(loop.value.range().as_set().coalesce()));
  const isl::set values = hull.intersect(inside);
  return {ParameterSet(context, divided, absl::StrCat(": ", end, " = ", first, " + 1")),
          DimensionMax(values, 0).sub(DimensionMin(values, 0)).add_constant(1)};
}

absl::StatusOr<std::vector<PartSlice>> Find(IslContext& context, const ParsedScop& whole,
                                            const DividedRegion& divided, const ParsedScop& part) {
  TUNE_ASSIGN_OR_RETURN(const OutermostLoop loop, FindOutermostLoop(whole));
  const isl::union_set outside(
      ParameterSet(context, divided, absl::StrCat("[v] : v < ", divided.first, " or v >= ", divided.end)));
  const isl::union_set others = loop.value.intersect_range(outside).domain();    // { S }
  const isl::union_set written = whole.writes.intersect_domain(others).range();  // { A }
  const isl::union_set used = part.reads.unite(part.writes).range();             // { A }
  const isl::ast_build build = MakeBuild(isl::set::universe(part.context.space()), {});
  const PartOfLoop values = PartOf(context, divided, loop);
  std::vector<PartSlice> found;
  absl::Status status;
  part.writes.range().foreach_set([&](const isl::set& elements) {  // { A }
    const v1::Array& array = part.array(TupleName(elements));
    if (!status.ok() || array.extents_size() == 0 || array.declared_inside()) return;
    const isl::set box =
        BoxAround(used.extract_set(elements.space())).value_or(isl::set::universe(elements.space()));
    const Uses uses = {elements.coalesce(), box,
                       written.extract_set(elements.space()).intersect_params(part.context)};
    const std::optional<Slices> slices =
        Choose(uses, WrittenByEach(part, array.name()), values, part.context);
    for (const StridedSlice& slice : slices.value_or(Slices()))
      found.push_back(Lower(array.name(), slice, part.context, build));
    if (slices) return;
    status = absl::InvalidArgumentError(absl::StrCat(
        part.proto.name(), ": CPU and GPU cannot share its outermost loop: what an iteration writes of ",
        array.name(),
        " lies among what others write and is no strided slice, so that it cannot be copied by "
        "itself"));
  });
  TUNE_RETURN_IF_ERROR(status);
  return found;
}

}  // namespace

absl::StatusOr<std::vector<PartSlice>> SlicesOfPart(const v1::Scop& scop, const DividedRegion& divided,
                                                    const v1::Scop& part) {
  IslContext context;
  TUNE_ASSIGN_OR_RETURN(const std::shared_ptr<const ParsedScop> whole, ParseScop(context, scop));
  TUNE_ASSIGN_OR_RETURN(const std::shared_ptr<const ParsedScop> parsed, ParseScop(context, part));
  return context.Run("slices of parts", [&] { return Find(context, *whole, divided, *parsed); });
}

}  // namespace tune
