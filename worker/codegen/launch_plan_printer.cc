#include "worker/codegen/launch_plan_printer.h"

#include <memory>

#include "absl/strings/str_join.h"
#include "worker/codegen/ast_printer.h"
#include "worker/codegen/block_ast.h"

namespace tune {
namespace {

constexpr char kDeclarations[] = R"(struct tune_launch {
  int kernel;
  unsigned grid[3];
  unsigned block[3];
  void **arguments;
};

void tune_plan(void *const *memory, const void *const *host,
               void (*launch)(void *context, const struct tune_launch *launch), void *context);

)";

// One place of the host's AST where a kernel is launched.
struct LaunchSite {
  size_t kernel;
  std::vector<isl::ast_expr> host;   // value of each host loop
  std::vector<isl::ast_expr> first;  // first block along each axis
  std::vector<isl::ast_expr> count;  // blocks along each axis
};

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

class LaunchPlanPrinter : public AstPrinter {
 public:
  LaunchPlanPrinter(const MappedProgram& program, const std::vector<KernelSignature>& signatures,
                    const HelperNames& names)
      : AstPrinter(names, "long", {}), program_(program), signatures_(signatures) {}

  std::string Print(const isl::set& values) {
    isl::ast_build build = MakeAstBuild(program_.host, values, names_.iterator);
    build = build.set_at_each_domain([&](const isl::ast_node& node, const isl::ast_build& inner) {
      const auto call = node.as<isl::ast_node_user>().expr().as<isl::ast_expr_op>();
      const size_t kernel = std::stoul(call.arg(0).as<isl::ast_expr_id>().id().name().substr(1));
      const isl::id annotation(node.ctx(), "launch", static_cast<int>(sites_.size()));
      sites_.push_back(MakeSite(kernel, program_.kernels[kernel], inner));
      return isl::manage(isl_ast_node_set_annotation(node.copy(), annotation.copy()));
    });
    const isl::ast_node root = build.node_from(program_.host);
    ++indent_;
    Line("(void)host;");
    if (!program_.kernels.empty()) PrintNode(root);
    return absl::StrCat(
        kDeclarations, expressions_.Definitions(),
        "void tune_plan(void *const *memory, const void *const *host,\n"
        "               void (*launch)(void *context, const struct tune_launch *launch), void "
        "*context) {\n",
        text_, "}\n");
  }

 private:
  void PrintUser(const isl::ast_node_user& node) override {
    PrintLaunch(sites_.at(isl::manage(isl_ast_node_get_annotation(node.get())).user<int>()));
  }

  void PrintLaunch(const LaunchSite& site) {
    const KernelSignature& signature = signatures_[site.kernel];
    std::vector<std::string> arguments;
    for (const KernelSignature::Array& used : signature.arrays) {
      arguments.push_back(absl::StrCat("(void *)", used.array->by_value ? "" : "&",
                                       used.array->by_value ? "host[" : "memory[", used.array->index, "]"));
    }
    Line("{");
    ++indent_;
    const auto pass = [&](const std::string& name, size_t number, const isl::ast_expr& value) {
      Line(signature.integer_type, " ", name, number, " = ", expressions_.Print(value).text, ";");
      arguments.push_back(absl::StrCat("&", name, number));
    };
    for (size_t depth = 0; depth < site.host.size(); ++depth) pass(names_.host, depth, site.host[depth]);
    for (size_t axis = 0; axis < site.first.size(); ++axis) {
      if (!signature.axes[axis].first_is_constant) pass(names_.first, axis, site.first[axis]);
    }
    for (size_t axis = 0; signature.linear_grid && axis + 1 < site.count.size(); ++axis)
      pass(names_.count, axis, site.count[axis]);
    if (arguments.empty()) arguments.push_back("0");
    Line("void *arguments[] = {", absl::StrJoin(arguments, ", "), "};");
    const auto& threads = program_.kernels[site.kernel].threads;
    Line("const struct tune_launch one = {", site.kernel, ", {", GridText(site, signature), "}, {",
         threads[0], ", ", threads[1], ", ", threads[2], "}, arguments};");
    Line("launch(context, &one);");
    --indent_;
    Line("}");
  }

  std::string GridText(const LaunchSite& site, const KernelSignature& signature) {
    std::vector<std::string> grid = {"1", "1", "1"};
    for (size_t axis = 0; axis < site.count.size(); ++axis) {
      CText count = expressions_.Print(site.count[axis]);
      if (!site.count[axis].isa<isl::ast_expr_int>()) count = CastText("unsigned", count);
      if (signature.linear_grid) {
        grid[0] = axis == 0 ? count.text : absl::StrCat(grid[0], " * ", count.text);
      } else {
        grid[axis] = count.text;
      }
    }
    return absl::StrJoin(grid, ", ");
  }

  const MappedProgram& program_;
  const std::vector<KernelSignature>& signatures_;
  std::vector<LaunchSite> sites_;
};

}  // namespace

std::string PrintLaunchPlan(IslContext& context, const MappedProgram& program,
                            const std::vector<KernelSignature>& signatures, const isl::set& values,
                            const HelperNames& names) {
  return LaunchPlanPrinter(program, signatures, names).Print(values);
}

}  // namespace tune
