#include "worker/codegen/launch_site.h"

#include "worker/codegen/block_ast.h"

namespace tune {
namespace {

LaunchSite MakeSite(size_t index, const MappedKernel& kernel, const isl::ast_build& build) {
  LaunchSite site{index, {}, {}, {}};
  // T -> K
  const isl::pw_multi_aff inverse = build.schedule().reverse().as_map().as_pw_multi_aff();
  for (int depth = 0; depth < kernel.kernel->host_depth; ++depth)
    site.host.push_back(build.expr_from(inverse.at(depth)));
  for (size_t axis = 0; axis < kernel.first_block.size(); ++axis) {
    const isl::pw_aff first = kernel.first_block[axis].pullback(inverse);  // T -> [b]
    const isl::pw_aff last = kernel.last_block[axis].pullback(inverse);
    const isl::pw_aff more = last.sub(first);
    const isl::pw_aff one =
        isl::manage(isl_pw_aff_val_on_domain(more.domain().release(), isl_val_one(more.ctx().get())));
    site.first.push_back(build.expr_from(first));
    site.count.push_back(build.expr_from(more.add(one)));
  }
  return site;
}

}  // namespace

const LaunchSite& HostAst::site(const isl::ast_node_user& node) const {
  return sites.at(isl::manage(isl_ast_node_get_annotation(node.get())).user<int>());
}

HostAst BuildHostAst(const MappedProgram& program, const isl::set& values, const HelperNames& names) {
  HostAst ast;
  isl::ast_build build = MakeAstBuild(program.host, values, names.iterator);
  build = build.set_at_each_domain([&](const isl::ast_node& node, const isl::ast_build& inner) {
    const auto call = node.as<isl::ast_node_user>().expr().as<isl::ast_expr_op>();
    const size_t kernel = std::stoul(call.arg(0).as<isl::ast_expr_id>().id().name().substr(1));
    const isl::id annotation(node.ctx(), "launch", static_cast<int>(ast.sites.size()));
    ast.sites.push_back(MakeSite(kernel, program.kernels[kernel], inner));
    return isl::manage(isl_ast_node_set_annotation(node.copy(), annotation.copy()));
  });
  ast.root = build.node_from(program.host);
  return ast;
}

}  // namespace tune
