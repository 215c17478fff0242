#include "common/isl/ast.h"

#include "common/isl/tuple_name.h"

namespace tune {

isl::ast_build MakeBuild(const isl::set& context, const std::vector<std::string>& iterators) {
  isl::ctx ctx = context.ctx();
  isl_options_set_ast_build_detect_min_max(ctx.get(), 1);
  isl_options_set_ast_build_atomic_upper_bound(ctx.get(), 1);
  isl::id_list names(ctx, static_cast<int>(iterators.size()));
  for (const std::string& name : iterators) names = names.add(NamedId(ctx, name));
  isl::ast_build build = isl::ast_build::from_context(context);
  return isl::manage(isl_ast_build_set_iterators(build.release(), names.release()));
}

isl::ast_expr AccessExpression(const isl::id& array, const std::vector<isl::ast_expr>& subscripts) {
  isl_ast_expr_list* list =  // nothing throws before it is taken
      isl_ast_expr_list_alloc(array.ctx().get(), static_cast<int>(subscripts.size()));
  for (const isl::ast_expr& subscript : subscripts) list = isl_ast_expr_list_add(list, subscript.copy());
  return isl::manage(isl_ast_expr_access(isl_ast_expr_from_id(array.copy()), list));
}

}  // namespace tune
