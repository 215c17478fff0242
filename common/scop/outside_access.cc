#include "common/scop/outside_access.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/isl/dimensions.h"
#include "common/isl/functions.h"
#include "common/isl/points.h"
#include "common/scop/certain_access.h"
#include "common/scop/integer_expression.h"
#include "common/scop/parameter_values.h"
#include "common/scop/row_distance.h"
#include "common/scop/scop.h"

namespace tune {
namespace {

// Whether C says how many elements the array, or what its pointer leads to, has in each dimension.
bool HasLengths(const v1::Array& array) {
  return !array.is_flat() && std::none_of(array.extents().begin(), array.extents().end(),
                                          [](const auto& extent) { return extent.c_expression().empty(); });
}

// In the reference; null where it lacks the array.
const v1::ArrayExtents* FindExtents(const v1::Reference& reference, const v1::Array& array) {
  for (const v1::ArrayExtents& extents : reference.arrays())
    if (extents.name() == array.name() && extents.extents_size() == array.extents_size()) return &extents;
  return nullptr;
}

// With the extents of arrays that the region declares, where these are numbers.
v1::Reference WithOwnArrays(const v1::Scop& scop, v1::Reference reference) {
  const std::map<std::string, int64_t> values = ParameterValueMap(reference);
  for (const v1::Array& array : scop.arrays()) {
    if (!array.declared_inside()) continue;
    v1::ArrayExtents extents;
    extents.set_name(array.name());
    for (const v1::Extent& extent : array.extents()) {
      const std::optional<int64_t> number = EvaluateInteger(extent.c_expression(), values, nullptr);
      if (number) extents.add_extents(*number);
    }
    if (extents.extents_size() == array.extents_size()) *reference.add_arrays() = std::move(extents);
  }
  return reference;
}

int64_t Product(const v1::ArrayExtents& extents) {
  int64_t elements = 1;
  for (const int64_t extent : extents.extents()) elements *= extent;
  return elements;
}

// Whether its pointer leads to the first row alone, behind which others lie, in allocations of their own
// perhaps.
bool HasApartRows(const v1::Array& array) {
  return std::any_of(array.extents().begin(), array.extents().end(),
                     [](const auto& extent) { return IsRowDistance(extent.c_expression()); });
}

// How many there are; nothing where that is not known. `lengths`: those that C says of what a pointer leads
// to count.
std::optional<int64_t> ElementsOf(const v1::Array& array, const v1::ArrayExtents& extents,
                                  const KnownMemory& memory, bool lengths) {
  if (HasLengths(array) && (lengths || !array.is_pointer())) return Product(extents);
  const auto known = memory.find(array.name());
  if (!array.is_pointer() || HasApartRows(array) || known == memory.end()) return std::nullopt;
  return known->second;
}

// { S -> A }: those of the relation, of numbers alone, that lie before or behind so many elements. What lies
// in another row of the array is found by C, if not by its rules.
isl::map Outside(const isl::map& relation, const v1::ArrayExtents& extents, int64_t count) {
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
          .intersect(isl::pw_aff(place).lt_set(isl::pw_aff(zero.add_constant(number(count)))));
  return relation.subtract(relation.intersect_range(inside));
}

// Of the first instance of the statement.
std::string Describe(const v1::Statement& statement, const isl::map& outside, const DoubtfulArray& array) {
  const isl::set instances = outside.domain().lexmin();
  const isl::set pairs = outside.intersect_domain(instances).wrap().flatten();
  const isl::point point = pairs.sample_point();
  std::vector<int64_t> iterators, subscripts;
  for (int i = 0; i < Dimensions(pairs, isl_dim_set); ++i) {
    (i < statement.iterators_size() ? iterators : subscripts)
        .push_back(CoordinateOf(point, isl_dim_set, i).num_si());
  }
  return DescribeOutside(statement, iterators, array, subscripts);
}

// At these values of the parameters, without them.
isl::map RelationAt(const ParsedStatement& statement, const ParsedAccess& access, const isl::set& values) {
  return access.relation.intersect_domain(statement.domain).intersect_params(values).project_out_all_params();
}

DoubtfulArray WithElements(const v1::ArrayExtents& extents, int64_t elements) {
  return {extents.name(), {extents.extents().begin(), extents.extents().end()}, elements};
}

std::string Find(const ParsedScop& scop, const v1::Reference& reference, const KnownMemory& memory,
                 const isl::set& values) {
  for (const ParsedStatement& statement : scop.statements) {
    if (statement.kind == v1::Statement::KILL) continue;
    const std::vector<bool> certain = CertainAccesses(scop.proto, *statement.proto);
    for (size_t a = 0; a < statement.accesses.size(); ++a) {
      const v1::Array& array = scop.array(statement.accesses[a].array);
      const v1::ArrayExtents* const extents = FindExtents(reference, array);
      const bool is_target = static_cast<int>(a) == statement.proto->target();
      const bool by_data = statement.accesses[a].of_data || !certain[a];
      if (extents == nullptr || (by_data && (!is_target || array.is_pointer()))) continue;
      const std::optional<int64_t> elements = ElementsOf(array, *extents, memory, /*lengths=*/false);
      if (!elements) continue;
      const isl::map outside =
          Outside(RelationAt(statement, statement.accesses[a], values), *extents, *elements);
      if (outside.is_empty()) continue;
      return absl::StrCat(Describe(*statement.proto, outside, WithElements(*extents, *elements)),
                          certain[a] ? "" : ", unless data prevent it, which tuned code does not wait for");
    }
  }
  return "";
}

// What is known of the array where data may lead this access outside of it.
std::optional<DoubtfulArray> DoubtfulOf(const ParsedStatement& statement, const ParsedAccess& access,
                                        const v1::Array& array, const v1::Reference& reference,
                                        const KnownMemory& memory, const isl::set& values) {
  const v1::ArrayExtents* const extents = FindExtents(reference, array);
  if (extents == nullptr) return std::nullopt;
  const std::optional<int64_t> elements = ElementsOf(array, *extents, memory, /*lengths=*/true);
  if (!elements || (access.of_data && !HasLengths(array))) return std::nullopt;
  DoubtfulArray doubtful = WithElements(*extents, *elements);
  doubtful.by_subscript = access.of_data;
  const bool is_doubtful =
      access.of_data || !Outside(RelationAt(statement, access, values), *extents, *elements).is_empty();
  return is_doubtful ? std::optional(doubtful) : std::nullopt;
}

std::vector<DoubtfulArray> FindDoubtful(const ParsedScop& scop, const v1::Reference& reference,
                                        const KnownMemory& memory, const isl::set& values) {
  std::map<std::string, DoubtfulArray> found;
  for (const ParsedStatement& statement : scop.statements) {
    if (statement.kind == v1::Statement::KILL) continue;
    const std::vector<bool> certain = CertainAccesses(scop.proto, *statement.proto);
    for (size_t a = 0; a < statement.accesses.size(); ++a) {
      const ParsedAccess& access = statement.accesses[a];
      if (certain[a] && !access.of_data) continue;
      const auto doubtful =
          DoubtfulOf(statement, access, scop.array(access.array), reference, memory, values);
      if (!doubtful) continue;
      DoubtfulArray& entry = found.emplace(access.array, *doubtful).first->second;
      entry.by_subscript = entry.by_subscript || doubtful->by_subscript;
    }
  }
  std::vector<DoubtfulArray> arrays;
  for (const auto& [name, array] : found) arrays.push_back(array);
  return arrays;
}

}  // namespace

std::string DescribeOutside(const v1::Statement& statement, const std::vector<int64_t>& iterators,
                            const DoubtfulArray& array, const std::vector<int64_t>& subscripts) {
  std::vector<std::string> where;
  for (size_t i = 0; i < iterators.size(); ++i)
    where.push_back(absl::StrCat(statement.iterators(static_cast<int>(i)), " = ", iterators[i]));
  int64_t declared = 1;
  for (const int64_t extent : array.extents) declared *= extent;
  return absl::StrCat(
      "line ", statement.line(), ": ", array.name, "[", absl::StrJoin(subscripts, "]["), "] of ",
      declared == array.elements ? absl::StrJoin(array.extents, " x ") : absl::StrCat(array.elements),
      " elements", where.empty() ? "" : ", where ", absl::StrJoin(where, ", "));
}

absl::StatusOr<std::string> FindOutsideAccess(const v1::Scop& scop, const v1::Reference& reference,
                                              const KnownMemory& memory) {
  IslContext context;
  return context.Run("comparing accesses with sizes", [&]() -> absl::StatusOr<std::string> {
    TUNE_ASSIGN_OR_RETURN(const std::shared_ptr<const ParsedScop> parsed, ParseScop(context, scop));
    return Find(*parsed, WithOwnArrays(scop, reference), memory,
                ParameterValues(context, ParameterValueMap(reference)));
  });
}

absl::Status LeavesArray(const std::string& access, const std::string& wrong) {
  return absl::FailedPreconditionError(
      absl::StrCat("the original region leaves an array at these sizes: ", access, "; correct ", wrong,
                   ", or the size of the array"));
}

absl::Status CheckInside(const v1::Scop& scop, const v1::Reference& reference, const KnownMemory& memory) {
  const absl::StatusOr<std::string> outside = FindOutsideAccess(scop, reference, memory);
  return !outside.ok() || outside->empty() ? absl::OkStatus() : LeavesArray(*outside);
}

absl::StatusOr<std::vector<DoubtfulArray>> FindDoubtfulArrays(const v1::Scop& scop,
                                                              const v1::Reference& reference,
                                                              const KnownMemory& memory) {
  IslContext context;
  return context.Run("looking for what data decide", [&]() -> absl::StatusOr<std::vector<DoubtfulArray>> {
    TUNE_ASSIGN_OR_RETURN(const std::shared_ptr<const ParsedScop> parsed, ParseScop(context, scop));
    return FindDoubtful(*parsed, WithOwnArrays(scop, reference), memory,
                        ParameterValues(context, ParameterValueMap(reference)));
  });
}

}  // namespace tune
