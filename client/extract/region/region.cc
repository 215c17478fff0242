#include "client/extract/region/region.h"

#include <clang/AST/Decl.h>

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "common/isl/bounds.h"
#include "common/isl/dimensions.h"
#include "common/isl/functions.h"
#include "common/isl/relations.h"
#include "common/isl/sets.h"
#include "common/isl/spaces.h"
#include "common/isl/tuple_name.h"

namespace tune {
namespace {

isl::space StatementSpace(const Region& region, size_t dimensions, const std::string& name) {
  isl::space space = SetSpace(region.ctx, 0, dimensions);
  return WithTupleName(space, isl_dim_set, name);
}

// The tuple that takes the iterators out of the parameters.
isl::multi_id IteratorTuple(const Region& region, const LoopNest& nest, const std::string& name) {
  isl::id_list ids(region.ctx, static_cast<int>(nest.iterators.size()));
  for (const Iterator& iterator : nest.iterators) ids = ids.add(iterator.id);
  return isl::multi_id(StatementSpace(region, nest.iterators.size(), name), ids);
}

}  // namespace

const Iterator* LoopNest::Find(const clang::VarDecl* variable) const {
  for (const Iterator& iterator : iterators) {
    if (iterator.variable == variable) return &iterator;
  }
  return nullptr;
}

isl::set LoopNest::OverParameters(isl::set set) const {
  for (const Iterator& iterator : iterators) set = set.project_out_param(iterator.id);
  return set;
}

bool LoopNest::Varies(const isl::pw_aff& value) const {
  return std::any_of(iterators.begin(), iterators.end(), [&](const Iterator& iterator) {
    const int position = FindDimension(value, isl_dim_param, iterator.id.name());
    return position >= 0 && Involves(value, isl_dim_param, position, 1);
  });
}

const StructureUse::Members* StructureUse::Find(const clang::Type* type) const {
  const auto found =
      std::find_if(types.begin(), types.end(), [&](const Members& members) { return members.type == type; });
  return found == types.end() ? nullptr : &*found;
}

StructureUse::Members& StructureUse::Of(const clang::Type* type) {
  for (Members& members : types) {
    if (members.type == type) return members;
  }
  return types.emplace_back(Members{type});
}

bool IsReservedByIsl(absl::string_view name) {
  static const char* const kWords[] = {"exists",   "and",   "or",     "implies", "not",  "infty",
                                       "infinity", "nan",   "min",    "max",     "rat",  "true",
                                       "false",    "ceild", "floord", "mod",     "ceil", "floor"};
  std::string lower = absl::AsciiStrToLower(name);
  return std::any_of(std::begin(kWords), std::end(kWords), [&](const char* word) { return lower == word; });
}

Refusal ReservedParameter(clang::SourceRange range, absl::string_view name) {
  return {range, absl::StrCat("the parameter has the name `", name, "`, which is a word of isl's notation"),
          "rename the variable"};
}

Region::Region(const clang::ASTContext& ast, const RegionVariables& variables, isl::ctx ctx,
               const std::set<Factors>& all_products)
    : ast(ast),
      variables(variables),
      ctx(ctx.get()),
      parameter_space(isl::space::unit(ctx)),
      context(isl::set::universe(isl::space::unit(ctx))) {
  for (const clang::VarDecl* variable : variables.parameters()) {
    isl::id id(ctx, variable->getNameAsString());
    parameters.emplace(variable, id);
    parameter_space = parameter_space.add_param(id);
  }
  std::set<std::string> names;
  for (const Factors& factors : all_products) {
    std::string name = "tune_product";
    for (const clang::VarDecl* factor : factors) absl::StrAppend(&name, "_", factor->getNameAsString());
    while (!names.insert(name).second) name += "_";
    const isl::id id(ctx, name);
    products.emplace(factors, id);
    parameter_space = parameter_space.add_param(id);
  }
  context = isl::set::universe(parameter_space);
  for (const auto& [variable, id] : parameters) {
    if (!variable->getType()->isUnsignedIntegerType()) continue;
    isl::aff value = ParameterOn(parameter_space, id);
    context = context.intersect(isl::set(value.ge_set(isl::aff::zero_on_domain(parameter_space))));
  }
}

void Region::Fix(const clang::VarDecl* parameter, const isl::val& value) {
  values.emplace(parameter, value);
  const isl::aff actual = ParameterOn(parameter_space, parameters.at(parameter));
  const isl::aff expected = isl::aff::zero_on_domain(parameter_space).add_constant(value);
  context = context.intersect(isl::set(actual.eq_set(expected)));
}

isl::id Region::NameIterator(const LoopNest& nest, const clang::VarDecl* variable) const {
  std::string name = variable->getNameAsString();
  auto taken = [&](const std::string& candidate) {
    if (IsReservedByIsl(candidate)) return true;
    for (const auto& [parameter, id] : parameters) {
      if (id.name() == candidate) return true;
    }
    return std::any_of(nest.iterators.begin(), nest.iterators.end(),
                       [&](const Iterator& iterator) { return iterator.id.name() == candidate; });
  };
  for (int suffix = 1; taken(name); ++suffix) name = absl::StrCat(variable->getNameAsString(), "_", suffix);
  return isl::id(isl::ctx(ctx), name);
}

isl::set BindDomain(const Region& region, const LoopNest& nest, const std::string& statement) {
  isl::set domain = nest.domain.unbind_params(IteratorTuple(region, nest, statement));
  return AlignParameters(InDisjointPieces(domain.coalesce()), region.parameter_space);
}

isl::map BindAccess(const Region& region, const LoopNest& nest, const std::string& statement,
                    const std::string& array, const std::vector<isl::pw_aff>& subscripts) {
  isl::set domain = BindDomain(region, nest, statement);
  isl::map relation;  // S -> A
  isl::multi_id tuple = IteratorTuple(region, nest, statement);
  isl::set range = isl::set::universe(SetSpace(region.ctx, 0, 0));
  isl::map map = MapFromDomainAndRange(isl::set::universe(domain.space()), range);
  for (const isl::pw_aff& subscript : subscripts) {
    isl::multi_pw_aff bound = subscript.unbind_params_insert_domain(tuple);  // S -> [a]
    map = FlatRangeProduct(map, bound.as_map());
  }
  map = WithTupleName(map, isl_dim_out, array);
  map = AlignParameters(map, region.parameter_space);
  const isl::map simple = map.gist_domain(domain).coalesce();
  // Cases that exclude one another in the domain alone need not do so elsewhere.
  return simple.is_single_valued() ? simple : map.intersect_domain(domain).coalesce();
}

isl::pw_aff BindValue(const Region& region, const LoopNest& nest, const std::string& statement,
                      const isl::pw_aff& value) {
  isl::multi_pw_aff bound =
      value.unbind_params_insert_domain(IteratorTuple(region, nest, statement));  // S -> [v]
  isl::pw_aff result = bound.at(0);
  result = AlignParameters(result, region.parameter_space);
  return result.gist(BindDomain(region, nest, statement)).coalesce();
}

}  // namespace tune
