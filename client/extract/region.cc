#include "client/extract/region.h"

#include <clang/AST/Decl.h>

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

namespace tune {
namespace {

isl::space StatementSpace(const Region& region, size_t dimensions, const std::string& name) {
  isl::space space = isl::manage(isl_space_set_alloc(region.ctx, 0, static_cast<unsigned>(dimensions)));
  return isl::manage(isl_space_set_tuple_name(space.release(), isl_dim_set, name.c_str()));
}

// The tuple that takes the iterators out of the parameters.
isl::multi_id IteratorTuple(const Region& region, const LoopNest& nest, const std::string& name) {
  isl_id_list* ids = isl_id_list_alloc(region.ctx, static_cast<int>(nest.iterators.size()));
  for (const Iterator& iterator : nest.iterators) ids = isl_id_list_add(ids, iterator.id.copy());
  isl::space space = StatementSpace(region, nest.iterators.size(), name);
  return isl::manage(isl_multi_id_from_id_list(space.release(), ids));
}

}  // namespace

const Iterator* LoopNest::Find(const clang::VarDecl* variable) const {
  for (const Iterator& iterator : iterators) {
    if (iterator.variable == variable) return &iterator;
  }
  return nullptr;
}

bool IsReservedByIsl(absl::string_view name) {
  static const char* const kWords[] = {"exists",   "and",   "or",     "implies", "not",  "infty",
                                       "infinity", "nan",   "min",    "max",     "rat",  "true",
                                       "false",    "ceild", "floord", "mod",     "ceil", "floor"};
  std::string lower = absl::AsciiStrToLower(name);
  return std::any_of(std::begin(kWords), std::end(kWords), [&](const char* word) { return lower == word; });
}

Region::Region(const clang::ASTContext& ast, const RegionVariables& variables, isl::ctx ctx)
    : ast(ast),
      variables(variables),
      ctx(ctx.get()),
      parameter_space(isl::space::unit(ctx)),
      context(isl::set::universe(isl::space::unit(ctx))) {
  for (const clang::VarDecl* variable : variables.parameters()) {
    isl::id id(ctx, variable->getNameAsString());
    parameters.emplace(variable, id);
    parameter_space = isl::manage(isl_space_add_param_id(parameter_space.release(), id.release()));
  }
  context = isl::set::universe(parameter_space);
  for (const auto& [variable, id] : parameters) {
    if (!variable->getType()->isUnsignedIntegerType()) continue;
    isl_aff* value = isl_aff_param_on_domain_space_id(parameter_space.copy(), id.copy());
    context = context.intersect(isl::manage(isl_set_from_basic_set(
        isl_aff_ge_basic_set(value, isl_aff_zero_on_domain_space(parameter_space.copy())))));
  }
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
  return isl::manage(isl_set_align_params(domain.coalesce().release(), region.parameter_space.copy()));
}

isl::map BindAccess(const Region& region, const LoopNest& nest, const std::string& statement,
                    const std::string& array, const std::vector<isl::pw_aff>& subscripts) {
  isl::set domain = BindDomain(region, nest, statement);
  isl::map relation;  // S -> A
  isl::multi_id tuple = IteratorTuple(region, nest, statement);
  isl::set range = isl::set::universe(isl::manage(isl_space_set_alloc(region.ctx, 0, 0)));
  isl::map map =
      isl::manage(isl_map_from_domain_and_range(isl_set_universe(domain.space().release()), range.release()));
  for (const isl::pw_aff& subscript : subscripts) {
    isl::multi_pw_aff bound = subscript.unbind_params_insert_domain(tuple);  // S -> [a]
    map = isl::manage(isl_map_flat_range_product(map.release(), isl_map_from_multi_pw_aff(bound.release())));
  }
  map = isl::manage(isl_map_set_tuple_name(map.release(), isl_dim_out, array.c_str()));
  map = isl::manage(isl_map_align_params(map.release(), region.parameter_space.copy()));
  return map.gist_domain(domain).coalesce();
}

isl::pw_aff BindValue(const Region& region, const LoopNest& nest, const std::string& statement,
                      const isl::pw_aff& value) {
  isl::multi_pw_aff bound =
      value.unbind_params_insert_domain(IteratorTuple(region, nest, statement));  // S -> [v]
  isl::pw_aff result = bound.at(0);
  result = isl::manage(isl_pw_aff_align_params(result.release(), region.parameter_space.copy()));
  return result.gist(BindDomain(region, nest, statement)).coalesce();
}

}  // namespace tune
