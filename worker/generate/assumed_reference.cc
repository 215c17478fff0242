#include "worker/generate/assumed_reference.h"

#include <algorithm>
#include <limits>
#include <set>

#include "absl/strings/match.h"
#include "absl/strings/str_join.h"
#include "common/isl/bounds.h"
#include "common/isl/dimensions.h"
#include "common/isl/tuple_name.h"
#include "common/scop/accessed_extent.h"
#include "common/scop/integer_expression.h"
#include "common/scop/outside_access.h"
#include "common/scop/parameter_product.h"
#include "common/scop/scop.h"
#include "common/scop/unmet_context.h"

namespace tune {
namespace {

using Values = std::map<std::string, int64_t>;

std::set<std::string> ParameterNames(const v1::Scop& scop) {
  std::set<std::string> names;
  for (const v1::Parameter& parameter : scop.parameters()) {
    if (parameter.factors().empty()) names.insert(parameter.name());
  }
  return names;
}

// Those of the scop's parameters, and of their products.
absl::StatusOr<Values> OwnValues(const v1::Scop& scop, const Values& values) {
  Values own;
  for (const std::string& name : ParameterNames(scop)) {
    if (const auto value = values.find(name); value != values.end()) own.insert(*value);
  }
  TUNE_RETURN_IF_ERROR(AddProducts(scop, &own));
  return own;
}

// With those that the scop's context leaves no choice about: integers that the file sets to one constant.
absl::StatusOr<Values> WithFixed(const v1::Scop& scop, Values values) {
  if (scop.context().empty()) return values;
  IslContext context;
  return context.Run("values of parameters", [&]() -> absl::StatusOr<Values> {
    const isl::set possible(context.ctx(), scop.context());  // [params] -> { : }
    for (const std::string& name : ParameterNames(scop)) {
      const int position = FindDimension(possible, isl_dim_param, name);
      if (position < 0 || values.count(name) > 0) continue;
      const isl::val fixed = PlainFixedValue(possible.coalesce(), isl_dim_param, position);
      if (fixed.is_int()) values.emplace(name, fixed.num_si());
    }
    return values;
  });
}

absl::Status CheckContext(const v1::Scop& scop, const Values& values) {
  TUNE_ASSIGN_OR_RETURN(const Values own, OwnValues(scop, values));
  if (own.empty() || scop.context().empty()) return absl::OkStatus();
  TUNE_ASSIGN_OR_RETURN(const std::string unmet, FindUnmetContext(scop, own));
  if (unmet.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("--parameter: ", unmet));
}

// That the parameters can have the values.
absl::Status CheckTypes(const v1::Scop& scop, const Values& values) {
  for (const v1::Parameter& parameter : scop.parameters()) {
    const auto value = values.find(parameter.name());
    if (value == values.end()) continue;
    const std::string& type = parameter.c_type();
    const bool is_unsigned = absl::StartsWith(type, "unsigned");
    const bool is_int = type == "int" || type == "unsigned int";
    const int64_t most = !is_int       ? std::numeric_limits<int64_t>::max()
                         : is_unsigned ? int64_t{std::numeric_limits<uint32_t>::max()}
                                       : int64_t{std::numeric_limits<int32_t>::max()};
    const int64_t least = is_unsigned ? 0 : is_int ? -most - 1 : std::numeric_limits<int64_t>::min();
    if (value->second >= least && value->second <= most) continue;
    return absl::InvalidArgumentError(absl::StrCat("--parameter ", parameter.name(), "=", value->second,
                                                   ": the variable is of type ", type,
                                                   ", which has no such value"));
  }
  return absl::OkStatus();
}

// One more than the largest index that the region uses in each dimension of each array.
using Used = std::map<std::string, std::vector<int64_t>>;

absl::StatusOr<Used> UsedExtents(const v1::Scop& scop, const Values& values) {
  IslContext context;
  TUNE_ASSIGN_OR_RETURN(const std::shared_ptr<const ParsedScop> parsed, ParseScop(context, scop));
  return context.Run("sizes of the arrays", [&]() -> absl::StatusOr<Used> {
    Used used;
    for (const v1::Array& array : scop.arrays()) used[array.name()].assign(array.extents_size(), 1);
    const isl::union_map accesses =
        parsed->reads.unite(parsed->writes).intersect_params(ParameterValues(context, values));  // { S -> A }
    accesses.range().foreach_set([&](const isl::set& set) {
      if (set.is_empty()) return;
      std::vector<int64_t>& extents = used[TupleName(set)];
      for (size_t i = 0; i < extents.size(); ++i) {
        const isl::val last = set.dim_max_val(static_cast<int>(i));
        extents[i] = std::max<int64_t>(extents[i], last.num_si() + 1);
      }
    });
    return used;
  });
}

// A line about a dimension that was guessed.
std::string Note(const v1::Array& array, const std::string& expression, int64_t taken,
                 const std::set<std::string>& unknown) {
  const std::string remedy =
      unknown.empty() ? ""
                      : absl::StrCat("; give --parameter ", absl::StrJoin(unknown, "=N --parameter "), "=N");
  return absl::StrCat(array.name(), ": `", expression, "` in its declaration has no known value; taken as ",
                      taken, ", which is what the region uses", remedy);
}

}  // namespace

absl::Status CheckValues(const std::vector<const v1::Scop*>& scops, const Values& values) {
  std::set<std::string> parameters, others, missing;
  for (const v1::Scop* scop : scops) {
    TUNE_ASSIGN_OR_RETURN(const Values known, WithFixed(*scop, values));
    for (const std::string& name : ParameterNames(*scop)) {
      parameters.insert(name);
      if (known.count(name) == 0) missing.insert(name);
    }
    for (const v1::Array& array : scop->arrays()) {
      for (const v1::Extent& extent : array.extents()) others.merge(NamesIn(extent.c_expression()));
    }
  }
  if (!missing.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the program is not run, so the value of ", absl::StrJoin(missing, ", "),
        " is not known; give it with --parameter ", absl::StrJoin(missing, "=1000 --parameter "), "=1000"));
  }
  for (const auto& [name, value] : values) {
    if (parameters.count(name) > 0 || others.count(name) > 0) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("--parameter ", name, "=", value, ": there is no parameter of this name; ",
                     parameters.empty() ? "the sizes are fixed in the text: change them with -D"
                                        : absl::StrCat("there are ", absl::StrJoin(parameters, ", "))));
  }
  for (const v1::Scop* scop : scops) {
    TUNE_RETURN_IF_ERROR(CheckTypes(*scop, values));
    TUNE_RETURN_IF_ERROR(CheckContext(*scop, values));
  }
  return absl::OkStatus();
}

absl::StatusOr<v1::Reference> AssumeReference(const v1::Scop& scop, const Values& given,
                                              std::vector<std::string>* notes) {
  TUNE_ASSIGN_OR_RETURN(const Values values, WithFixed(scop, given));
  TUNE_ASSIGN_OR_RETURN(const Values own, OwnValues(scop, values));
  TUNE_ASSIGN_OR_RETURN(const Used used, UsedExtents(scop, own));
  IslContext context;
  v1::Reference reference;
  for (const v1::Parameter& parameter : scop.parameters()) {
    v1::ParameterValue* entry = reference.add_parameters();
    entry->set_name(parameter.name());
    entry->set_value(own.at(parameter.name()));
  }
  for (const v1::Array& array : scop.arrays()) {
    if (array.declared_inside()) continue;
    v1::ArrayExtents* entry = reference.add_arrays();
    entry->set_name(array.name());
    for (int i = 0; i < array.extents_size(); ++i) {
      const std::string& expression = array.extents(i).c_expression();
      std::set<std::string> unknown;
      const std::optional<int64_t> declared = EvaluateInteger(expression, values, &unknown);
      int64_t extent = used.at(array.name())[i];
      if (declared && *declared > 0) {
        extent = *declared;
      } else if (const std::string& accessed = array.extents(i).accessed(); !accessed.empty()) {
        // Less than what is used, where conditions in values keep accesses inside.
        TUNE_ASSIGN_OR_RETURN(const int64_t reached, EvaluateAccessed(context, accessed, own));
        extent = std::clamp<int64_t>(reached, 1, extent);
      }
      entry->add_extents(extent);
      if (!declared && i > 0) notes->push_back(Note(array, expression, extent, unknown));
    }
  }
  TUNE_RETURN_IF_ERROR(CheckInside(scop, reference));
  return reference;
}

}  // namespace tune
