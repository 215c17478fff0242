#include "worker/print/launch_sequence_printer.h"

#include <algorithm>
#include <stdexcept>

#include "absl/strings/str_join.h"
#include "worker/print/block_printer.h"
#include "worker/print/launch_sequence.h"
#include "worker/print/merged_kernel_printer.h"

namespace tune {
namespace {

class LaunchSequencePrinter : public BlockPrinter {
 public:
  LaunchSequencePrinter(const DeviceProgram& program, const HelperNames& names)
      : BlockPrinter(names, program.host_index_type), program_(program) {}

  std::string Print() {
    PrintInside(program_.host);
    return LaunchSequenceText(indices_.Definitions(), text_);
  }

 private:
  void PrintOther(const Node& node) override {
    if (const auto* launch = node.As<Launch>()) {
      PrintLaunch(*launch);
    } else if (const auto* merged = node.As<MergedLaunch>()) {
      PrintMerged(*merged);
    } else {
      throw std::logic_error("a launch sequence has no such node");
    }
  }

  // Its number among what is launched: kernels that are no functions, then merged launches.
  int NumberOf(int kernel) const {
    return static_cast<int>(std::count_if(program_.kernels.begin(), program_.kernels.begin() + kernel,
                                          [](const DeviceKernel& before) { return !before.is_function; }));
  }

  void PrintMerged(const MergedLaunch& merged) {
    std::vector<std::string> arguments;
    for (const DeviceArray* array : MergedKernelArrays(program_, merged)) {
      if (array->of_block == 0) arguments.push_back(LaunchArgument(*array));
    }
    for (const std::string& iterator : merged.iterators) arguments.push_back(absl::StrCat("&", iterator));
    if (arguments.empty()) arguments.push_back("0");
    Line("{");
    ++indent_;
    Line("void *arguments[] = {", absl::StrJoin(arguments, ", "), "};");
    Line("const struct tune_launch one = {", NumberOf(static_cast<int>(program_.kernels.size())) + merged_++,
         ", {", merged.blocks, ", 1, 1}, {", merged.threads, ", 1, 1}, arguments};");
    Line("launch(context, &one);");
    --indent_;
    Line("}");
  }

  void PrintLaunch(const Launch& launch) {
    const DeviceKernel& kernel = program_.kernels[launch.kernel];
    std::vector<std::string> arguments;
    for (const KernelArray& used : kernel.arrays) {
      arguments.push_back(used.loads == ArrayLoads::kTexture
                              ? absl::StrCat("(void *)&memory[", program_.arrays.size() + used.array, "]")
                              : LaunchArgument(program_.arrays[used.array]));
    }
    Line("{");
    ++indent_;
    const auto pass = [&](const std::string& name, size_t number, const IndexExpression& value) {
      Line(kernel.index_type, " ", name, number, " = ", Text(value), ";");
      arguments.push_back(absl::StrCat("&", name, number));
    };
    for (size_t depth = 0; depth < launch.host.size(); ++depth) pass(names_.host, depth, launch.host[depth]);
    for (size_t axis = 0; axis < launch.first.size(); ++axis) {
      if (!kernel.axes[axis].first_is_constant) pass(names_.first, axis, launch.first[axis]);
    }
    for (size_t axis = 0; kernel.linear_grid && axis + 1 < launch.count.size(); ++axis)
      pass(names_.count, axis, launch.count[axis]);
    if (arguments.empty()) arguments.push_back("0");
    Line("void *arguments[] = {", absl::StrJoin(arguments, ", "), "};");
    Line("const struct tune_launch one = {", NumberOf(launch.kernel), ", {", GridText(launch, kernel), "}, {",
         absl::StrJoin(kernel.threads, ", "), "}, arguments};");
    Line("launch(context, &one);");
    --indent_;
    Line("}");
  }

  std::string GridText(const Launch& launch, const DeviceKernel& kernel) {
    std::vector<std::string> grid = {"1", "1", "1"};
    for (size_t axis = 0; axis < launch.count.size(); ++axis) {
      CText count = indices_.Print(launch.count[axis]);
      if (!launch.count[axis].IsConstant()) count = CastText("unsigned", count);
      if (kernel.linear_grid) {
        grid[0] = axis == 0 ? count.text : absl::StrCat(grid[0], " * ", count.text);
      } else {
        grid[axis] = count.text;
      }
    }
    return absl::StrJoin(grid, ", ");
  }

  const DeviceProgram& program_;
  int merged_ = 0;  // printed
};

}  // namespace

std::string PrintLaunchSequence(const DeviceProgram& program, const HelperNames& names) {
  return LaunchSequencePrinter(program, names).Print();
}

std::string LaunchArgument(const DeviceArray& array) {
  return absl::StrCat("(void *)", array.by_value ? "host[" : "&memory[", array.index, "]");
}

std::string LaunchSequenceText(const std::string& definitions, const std::string& body) {
  return absl::StrCat(kLaunchSequenceDeclarations, definitions, kLaunchSequenceHead,
                      "  (void)memory;\n  (void)host;\n", body, "}\n");
}

}  // namespace tune
