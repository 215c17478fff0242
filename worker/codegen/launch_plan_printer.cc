#include "worker/codegen/launch_plan_printer.h"

#include "absl/strings/str_join.h"
#include "worker/codegen/ast_printer.h"
#include "worker/codegen/launch_plan.h"
#include "worker/codegen/launch_site.h"

namespace tune {
namespace {

class LaunchPlanPrinter : public AstPrinter {
 public:
  LaunchPlanPrinter(const MappedProgram& program, const std::vector<KernelSignature>& signatures,
                    size_t arrays, const HelperNames& names)
      : AstPrinter(names, "long", {}), program_(program), signatures_(signatures), arrays_(arrays) {}

  std::string Print(const isl::set& values) {
    ast_ = BuildHostAst(program_, values, names_);
    ++indent_;
    if (!program_.kernels.empty()) PrintNode(ast_.root);
    return LaunchPlanText(expressions_.Definitions(), text_);
  }

 private:
  void PrintUser(const isl::ast_node_user& node) override { PrintLaunch(ast_.site(node)); }

  void PrintLaunch(const LaunchSite& site) {
    const KernelSignature& signature = signatures_[site.kernel];
    std::vector<std::string> arguments;
    for (const KernelSignature::Array& used : signature.arrays) {
      arguments.push_back(used.loads == ArrayLoads::kTexture
                              ? absl::StrCat("(void *)&memory[", arrays_ + used.array->index, "]")
                              : LaunchArgument(*used.array));
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
  const size_t arrays_;  // how many there are
  HostAst ast_;
};

}  // namespace

std::string PrintLaunchPlan(IslContext& context, const MappedProgram& program,
                            const std::vector<KernelSignature>& signatures, size_t arrays,
                            const isl::set& values, const HelperNames& names) {
  return LaunchPlanPrinter(program, signatures, arrays, names).Print(values);
}

std::string LaunchArgument(const DeviceArray& array) {
  return absl::StrCat("(void *)", array.by_value ? "host[" : "&memory[", array.index, "]");
}

std::string LaunchPlanText(const std::string& definitions, const std::string& body) {
  return absl::StrCat(kLaunchPlanDeclarations, definitions, kLaunchPlanHead,
                      "  (void)memory;\n  (void)host;\n", body, "}\n");
}

std::string PrintOneLaunch(const std::vector<const DeviceArray*>& arrays, int64_t blocks, int64_t threads) {
  std::vector<std::string> arguments;
  for (const DeviceArray* array : arrays) arguments.push_back(LaunchArgument(*array));
  if (arguments.empty()) arguments.push_back("0");
  return LaunchPlanText("", absl::StrCat("  void *arguments[] = {", absl::StrJoin(arguments, ", "),
                                         "};\n  const struct tune_launch one = {0, {", blocks, ", 1, 1}, {",
                                         threads, ", 1, 1}, arguments};\n  launch(context, &one);\n"));
}

}  // namespace tune
