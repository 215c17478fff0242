#include "common/transform/symbolic_expansion.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/array/element_type.h"
#include "common/isl/bounds.h"
#include "common/isl/dimensions.h"
#include "common/isl/points.h"
#include "common/transform/expansion/expansion.h"

namespace tune {
namespace {

using Values = std::map<std::string, int64_t>;

constexpr int kLarge = 64;  // a size at which no loop has so few iterations that nothing is gained

// { [] }: those of the parameters where the condition holds as well; all where it never does.
isl::set WherePossible(const isl::set& parameters, const isl::set& condition) {
  const isl::set both = parameters.intersect(condition);
  return both.is_empty() ? parameters : both;
}

// { [] }: where a loop has an iteration and the next one.
isl::set WithTwoIterations(const isl::set& domain, int dimension) {
  isl::set distance = isl::set::universe(domain.space());
  for (int d = 0; d < Dimensions(domain, isl_dim_set); ++d)
    distance = Fix(distance, isl_dim_set, d, d == dimension ? 1 : 0);
  const isl::map next = distance.translation();  // S -> S
  return domain.intersect(domain.apply(next)).params();
}

// By which what is worth copies is looked for: large ones where the context has such, for which loops have
// several iterations.
Values SampleOf(const ParsedScop& scop) {
  isl::set large = scop.context;
  for (int i = 0; i < Dimensions(large, isl_dim_param); ++i)
    large = LowerBound(large, isl_dim_param, i, kLarge);
  isl::set from = WherePossible(scop.context, large);
  for (const ParsedStatement& statement : scop.statements) {
    for (int d = 0; d < Dimensions(statement.domain, isl_dim_set); ++d)
      from = WherePossible(from, WithTwoIterations(statement.domain, d));
  }
  const isl::point point = from.sample_point();
  Values values;
  for (const v1::Parameter& parameter : scop.proto.parameters()) {
    const int position = FindDimension(from, isl_dim_param, parameter.name());
    values[parameter.name()] = position < 0 ? kLarge : CoordinateOf(point, isl_dim_param, position).num_si();
  }
  return values;
}

bool IsTemporary(const v1::Array& array) { return array.declared_inside() || array.extents_size() == 0; }

bool HasWrittenTemporaries(const v1::Scop& scop) {
  return std::any_of(scop.arrays().begin(), scop.arrays().end(), [](const v1::Array& array) {
    return array.declared_inside() || (IsTemporary(array) && !array.read_only());
  });
}

// { A }: elements of the array that are accessed; null where there are none.
isl::set AccessedElements(const ParsedScop& scop, const std::string& array) {
  isl::set elements;
  for (const ParsedStatement& statement : scop.statements) {
    if (statement.kind == v1::Statement::KILL) continue;
    for (const ParsedAccess& access : statement.accesses) {
      if (access.array != array) continue;
      const isl::set accessed = access.relation.intersect_domain(statement.domain).range();
      elements = elements.is_null() ? accessed : elements.unite(accessed);
    }
  }
  return elements;
}

// Of the program's arrays, as far as they are accessed at these sizes.
double BytesOfProgram(const ParsedScop& scop, const isl::set& sizes) {
  double bytes = 0;
  for (const v1::Array& array : scop.proto.arrays()) {
    const isl::set accessed = AccessedElements(scop, array.name());
    if (array.declared_inside() || accessed.is_null()) continue;
    const isl::set elements = accessed.intersect_params(sizes);
    if (elements.is_empty()) continue;
    double count = ElementSize(array.element_type());
    for (int d = 0; d < Dimensions(elements, isl_dim_set); ++d)
      count *= static_cast<double>(elements.dim_max_val(d).num_si() + 1);
    bytes += count;
  }
  return bytes;
}

// Isl's texts of the numbers of the array's elements along each dimension, [n] -> { [(n)] }, for parameters
// of the context; nothing where subscripts do not begin at zero or have no end.
std::optional<std::vector<std::string>> ExtentsOf(const ParsedScop& scop, const v1::Array& array) {
  isl::set elements = AccessedElements(scop, array.name());
  if (elements.is_null()) return std::vector<std::string>(array.extents_size(), "{ [(1)] }");
  elements = elements.intersect_params(scop.context).coalesce();
  std::vector<std::string> extents;
  for (int d = 0; d < Dimensions(elements, isl_dim_set); ++d) {
    if (!HasUpperBound(elements, isl_dim_set, d)) return std::nullopt;
    if (!elements.is_subset(LowerBound(elements, isl_dim_set, d, 0))) return std::nullopt;
    const isl::pw_aff last = DimensionMax(elements, d).gist_params(scop.context).coalesce();
    extents.push_back(IslText(last.add_constant(1)));
  }
  return extents;
}

// Writes what is known of the arrays that are declared inside; false where it is not known of one that
// `original` does not have.
absl::StatusOr<bool> SetExtents(IslContext& context, const v1::Scop& original, v1::Scop* expanded) {
  TUNE_ASSIGN_OR_RETURN(const std::shared_ptr<const ParsedScop> parsed, ParseScop(context, *expanded));
  std::set<std::string> known;
  for (const v1::Array& array : original.arrays()) known.insert(array.name());
  return context.Run("counting copies", [&]() -> absl::StatusOr<bool> {
    for (v1::Array& array : *expanded->mutable_arrays()) {
      if (!array.declared_inside() || array.extents_size() == 0) continue;
      const std::optional<std::vector<std::string>> extents = ExtentsOf(*parsed, array);
      if (!extents && known.count(array.name()) == 0) return false;
      if (!extents) continue;
      array.clear_extents();
      for (const std::string& extent : *extents) array.add_extents()->set_accessed(extent);
    }
    return true;
  });
}

// Of a scop whose temporaries it makes more of.
class SymbolicExpansion {
 public:
  SymbolicExpansion(IslContext& context, const ParsedScop& scop, const Dependences& dependences,
                    const Values& sample)
      : context_(context), scop_(scop), dependences_(dependences), sample_(sample) {}

  absl::StatusOr<v1::Scop> Make() {
    TUNE_ASSIGN_OR_RETURN(const std::vector<Expandable> found,
                          FindExpandable(context_, scop_, dependences_, sample_));
    TUNE_ASSIGN_OR_RETURN(most_bytes_, context_.Run("sizes of the arrays", [&]() -> absl::StatusOr<double> {
      return BytesOfProgram(scop_, ParameterValues(context_, sample_));
    }));
    v1::Scop result = scop_.proto;
    TUNE_RETURN_IF_ERROR(SetExtents(context_, scop_.proto, &result).status());
    std::vector<Expandable> chosen;
    for (const Expandable& largest : found) {
      if (!IsTemporary(scop_.array(largest.array))) continue;
      TUNE_ASSIGN_OR_RETURN(const std::optional<Expandable> fitting, Fitting(largest.array));
      if (!fitting) continue;
      chosen.push_back(*fitting);
      TUNE_ASSIGN_OR_RETURN(v1::Scop with, ExpandArrays(context_, scop_, dependences_, chosen, sample_));
      TUNE_ASSIGN_OR_RETURN(const bool counted, SetExtents(context_, scop_.proto, &with));
      if (counted) {
        result = std::move(with);
      } else {
        chosen.pop_back();
      }
    }
    return result;
  }

 private:
  // Along as many loops as are no more than what the program has itself. Nothing where no copies help.
  absl::StatusOr<std::optional<Expandable>> Fitting(const std::string& array) {
    for (const CopiesAlong along :
         {CopiesAlong::kAllLoops, CopiesAlong::kParallelLoops, CopiesAlong::kParallelNests}) {
      const absl::StatusOr<Expandable> found =
          ExpandableAlong(context_, scop_, dependences_, array, along, sample_);
      if (absl::IsFailedPrecondition(found.status())) continue;
      TUNE_RETURN_IF_ERROR(found.status());
      if (along == CopiesAlong::kParallelNests || static_cast<double>(found->bytes) <= most_bytes_)
        return *found;
    }
    return std::nullopt;
  }

  IslContext& context_;
  const ParsedScop& scop_;
  const Dependences& dependences_;
  const Values sample_;
  double most_bytes_ = 0;
};

}  // namespace

absl::StatusOr<v1::Scop> ExpandForAllSizes(const v1::Scop& scop) {
  if (!HasWrittenTemporaries(scop)) return scop;
  IslContext context;
  TUNE_ASSIGN_OR_RETURN(const std::shared_ptr<const ParsedScop> parsed, ParseScop(context, scop));
  TUNE_ASSIGN_OR_RETURN(const Dependences dependences, ComputeDependences(context, *parsed));
  TUNE_ASSIGN_OR_RETURN(const Values sample, context.Run("sample sizes", [&]() -> absl::StatusOr<Values> {
    return SampleOf(*parsed);
  }));
  return SymbolicExpansion(context, *parsed, dependences, sample).Make();
}

}  // namespace tune
