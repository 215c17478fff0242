#include "client/extract/scop_assembly.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>

#include <algorithm>
#include <iterator>

#include "absl/strings/str_cat.h"
#include "client/extract/aliasing.h"
#include "client/extract/array_shape.h"
#include "client/extract/array_table.h"
#include "client/extract/escaping_values.h"
#include "client/extract/meanings.h"
#include "client/extract/region.h"
#include "client/extract/region_walker.h"

namespace tune {
namespace {

void Append(std::vector<Refusal> more, std::vector<Refusal>* all) {
  std::move(more.begin(), more.end(), std::back_inserter(*all));
}

isl::pw_aff Constant(const isl::space& space, int value) {
  isl_aff* zero = isl_aff_zero_on_domain_space(space.copy());
  return isl::manage(isl_pw_aff_from_aff(isl_aff_add_constant_si(zero, value)));
}

isl::set OutermostIndices(const Region& region, const ArrayTable::Entry& entry) {
  isl::set indices = isl::manage(isl_set_empty(isl_space_add_dims(
      isl_space_set_from_params(region.parameter_space.copy()), isl_dim_set, 1)));  // { [a] }
  for (const isl::map& accessed : entry.accessed) {
    isl::set range = accessed.range().intersect_params(region.context);  // { A[a, ...] }
    unsigned dimensions = static_cast<unsigned>(isl_set_dim(range.get(), isl_dim_set));
    isl_set* first = isl_set_project_out(range.release(), isl_dim_set, 1, dimensions - 1);
    indices = indices.unite(isl::manage(isl_set_reset_tuple_id(first)));
  }
  return indices;
}

// One more than the largest outermost index, 0 where nothing is accessed: [params] -> { [n] }.
isl::pw_aff AccessedExtent(const Region& region, const isl::set& indices) {
  isl::pw_aff largest = isl::manage(isl_set_dim_max(indices.copy(), 0));
  isl::pw_aff extent = largest.add(Constant(region.parameter_space, 1));
  isl::set unused = region.context.subtract(indices.params());
  if (!unused.is_empty())
    extent = extent.union_add(Constant(region.parameter_space, 0).intersect_domain(unused));
  return extent.gist(region.context).coalesce();
}

class Assembler {
 public:
  Assembler(isl::ctx ctx, const clang::ASTContext& ast, const FoundRegion& found)
      : ast_(ast),
        found_(found),
        variables_(ast, found.statements),
        region_(ast, variables_, ctx),
        arrays_(variables_) {}

  // The numbered steps from statements to message.
  AssembledScop Assemble() {
    // 1. Statements, their order, and what they access.
    WalkedRegion walked = WalkRegion(region_, arrays_, found_.statements);
    Append(std::move(walked.refusals), &result_.refusals);
    for (v1::Statement& statement : walked.statements) *result_.scop.add_statements() = std::move(statement);
    // 2. What the region must not do beside that.
    Append(CheckAliasing(ast_, *found_.function, arrays_), &result_.refusals);
    Append(CheckEscapingValues(ast_, found_, variables_), &result_.refusals);
    // 3. Arrays, and what their sizes say about the parameters.
    for (const ArrayTable::Entry& entry : arrays_.entries()) AddArray(entry);
    if (result_.refusals.empty() && !walked.schedule) {
      result_.refusals.push_back({{found_.begin, found_.begin},
                                  "the region executes no statement",
                                  "mark a region that assigns to arrays or scalars"});
    }
    if (!result_.refusals.empty()) return std::move(result_);
    const std::vector<v1::Array::Overlap> overlaps = FindOverlap(ast_, arrays_, variables_);
    for (size_t i = 0; i < overlaps.size(); ++i)
      result_.scop.mutable_arrays(static_cast<int>(i))->set_overlap(overlaps[i]);
    // 4. Extents that C leaves open, from the accesses.
    for (size_t i = 0; i < arrays_.entries().size(); ++i) CompleteExtent(static_cast<int>(i));
    // 5. The rest.
    result_.scop.set_name(found_.scop_name);
    for (const clang::VarDecl* parameter : variables_.parameters()) AddParameter(*parameter);
    result_.scop.set_context(IslText(region_.context.coalesce()));
    if (walked.schedule) result_.scop.set_schedule(ScheduleText(*walked.schedule));
    *result_.scop.mutable_region() = found_.source;
    return std::move(result_);
  }

 private:
  void AddArray(const ArrayTable::Entry& entry) {
    Accepted<v1::Array> array = DescribeArray(region_, *found_.function, *entry.variable, entry.use);
    if (auto* refusal = std::get_if<Refusal>(&array)) {
      result_.refusals.push_back(std::move(*refusal));
      return;
    }
    v1::Array& described = std::get<0>(array);
    described.set_read_only(!entry.is_written);
    *result_.scop.add_arrays() = std::move(described);
  }

  void CompleteExtent(int index) {
    v1::Array* array = result_.scop.mutable_arrays(index);
    if (array->extents_size() == 0 || !array->extents(0).c_expression().empty()) return;
    const ArrayTable::Entry& entry = arrays_.entries()[index];
    isl::set indices = OutermostIndices(region_, entry);
    isl_aff* index_aff =
        isl_aff_var_on_domain(isl_local_space_from_space(indices.space().release()), isl_dim_set, 0);
    isl::pw_aff first = isl::manage(isl_pw_aff_from_aff(index_aff));
    isl::set negative = indices.intersect(first.lt_set(Constant(indices.space(), 0)));
    // A program in which it happens for some values of the parameters only may never be given them.
    if (!negative.is_empty() && indices.params().is_subset(negative.params())) {
      result_.refusals.push_back({entry.use,
                                  absl::StrCat("`", entry.name, "` is accessed before its first element"),
                                  "let the pointer point to the lowest element that is accessed"});
      return;
    }
    if (isl_set_dim_has_upper_bound(indices.get(), isl_dim_set, 0) != isl_bool_true) {
      result_.refusals.push_back(
          {entry.use, absl::StrCat("the number of elements of `", entry.name, "` cannot be bounded"),
           absl::StrCat("declare its size: `", entry.name, "[n]`")});
      return;
    }
    array->mutable_extents(0)->set_accessed(IslText(AccessedExtent(region_, indices)));
  }

  void AddParameter(const clang::VarDecl& variable) {
    v1::Parameter* parameter = result_.scop.add_parameters();
    parameter->set_name(variable.getNameAsString());
    parameter->set_c_type(CTypeName(ast_, variable.getType()));
  }

  static std::string ScheduleText(const isl::schedule& schedule) {
    char* text = isl_schedule_to_str(schedule.get());
    std::string result = text == nullptr ? "" : text;
    free(text);
    return result;
  }

  const clang::ASTContext& ast_;
  const FoundRegion& found_;
  RegionVariables variables_;
  Region region_;
  ArrayTable arrays_;
  AssembledScop result_;
};

}  // namespace

absl::StatusOr<AssembledScop> AssembleScop(const clang::ASTContext& ast, const FoundRegion& found,
                                           const std::vector<PlacedMeaning>& macros) {
  IslContext context;
  return context.Run("extracting the region", [&]() -> absl::StatusOr<AssembledScop> {
    AssembledScop assembled = Assembler(context.ctx(), ast, found).Assemble();
    for (v1::Meaning& meaning : FindMeanings(ast, found, macros))
      *assembled.scop.add_meanings() = std::move(meaning);
    return assembled;
  });
}

}  // namespace tune
