#include "worker/ppcg/ppcg_launch_sequence.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_join.h"
#include "worker/print/launch_sequence_printer.h"

namespace tune {
namespace {

class PlanPrinter {
 public:
  PlanPrinter(const PpcgOutput& output, const std::vector<DeviceArray>& arrays)
      : output_(output), arrays_(arrays) {}

  absl::StatusOr<std::string> Print() {
    TUNE_RETURN_IF_ERROR(PrintNode(output_.host));
    std::string macros;
    for (const std::string& directive : output_.directives) absl::StrAppend(&macros, directive, "\n");
    return LaunchSequenceText(macros, text_);
  }

 private:
  template <typename... Parts>
  void Line(const Parts&... parts) {
    absl::StrAppend(&text_, std::string(2 * indent_, ' '), parts..., "\n");
  }

  absl::Status PrintChildren(const std::vector<PpcgHostNode>& children) {
    ++indent_;
    for (const PpcgHostNode& child : children) TUNE_RETURN_IF_ERROR(PrintNode(child));
    --indent_;
    return absl::OkStatus();
  }

  absl::Status PrintNode(const PpcgHostNode& node) {
    switch (node.kind) {
      case PpcgHostNode::Kind::kSequence:
        for (const PpcgHostNode& child : node.children) TUNE_RETURN_IF_ERROR(PrintNode(child));
        return absl::OkStatus();
      case PpcgHostNode::Kind::kFor:
        Line("for (", node.header, ") {");
        TUNE_RETURN_IF_ERROR(PrintChildren(node.children));
        Line("}");
        return absl::OkStatus();
      case PpcgHostNode::Kind::kIf:
        Line("if (", node.header, ") {");
        TUNE_RETURN_IF_ERROR(PrintChildren(node.children));
        if (!node.otherwise.empty()) {
          Line("} else {");
          TUNE_RETURN_IF_ERROR(PrintChildren(node.otherwise));
        }
        Line("}");
        return absl::OkStatus();
      case PpcgHostNode::Kind::kLaunch:
        return PrintLaunch(node.launch);
    }
    return absl::OkStatus();
  }

  absl::Status PrintLaunch(const PpcgLaunch& launch) {
    const auto kernel = std::find_if(output_.kernels.begin(), output_.kernels.end(),
                                     [&](const PpcgKernel& other) { return other.name == launch.kernel; });
    Line("{");
    ++indent_;
    std::vector<std::string> arguments;
    for (size_t i = 0; i < launch.arguments.size(); ++i) {
      TUNE_ASSIGN_OR_RETURN(std::string argument, Argument(kernel->parameters[i], launch.arguments[i], i));
      arguments.push_back(std::move(argument));
    }
    if (arguments.empty()) arguments.push_back("0");
    Line("void *arguments[] = {", absl::StrJoin(arguments, ", "), "};");
    TUNE_ASSIGN_OR_RETURN(const std::string grid, GridText(launch));
    std::vector<int64_t> block = launch.block;
    block.resize(3, 1);
    Line("const struct tune_launch one = {", kernel - output_.kernels.begin(), ", {", grid, "}, {",
         absl::StrJoin(block, ", "), "}, arguments};");
    Line("launch(context, &one);");
    --indent_;
    Line("}");
    return absl::OkStatus();
  }

  // A pointer to the value of the parameter.
  absl::StatusOr<std::string> Argument(const PpcgKernel::Parameter& parameter, const std::string& text,
                                       size_t number) {
    for (const DeviceArray& array : arrays_) {
      if (array.by_value ? text == array.name && !parameter.pointer
                         : text == "dev_" + array.name && parameter.pointer) {
        return LaunchArgument(array);
      }
    }
    if (parameter.pointer) {
      return absl::InternalError(
          absl::StrCat("ppcg passes ", text, " for ", parameter.name, ", which is no array of the region"));
    }
    const std::string name = absl::StrCat("tune_a", number);
    Line(parameter.type, " ", name, " = ", text, ";");
    return "&" + name;
  }

  absl::StatusOr<std::string> GridText(const PpcgLaunch& launch) {
    constexpr int64_t kMost[] = {INT32_MAX, 65535, 65535};
    std::vector<std::string> sizes = {"1", "1", "1"};
    for (size_t i = 0; i < launch.grid.size(); ++i) {
      int64_t number = 0;
      const bool constant = absl::SimpleAtoi(launch.grid[i], &number);
      if (constant && (number < 1 || number > kMost[i])) {
        return absl::InvalidArgumentError(absl::StrCat("ppcg launches ", launch.kernel, " with ", number,
                                                       " blocks along ", std::string(1, "xyz"[i]),
                                                       ", and CUDA allows 1 to ", kMost[i]));
      }
      sizes[i] = constant ? launch.grid[i] : absl::StrCat("(unsigned)(", launch.grid[i], ")");
    }
    return absl::StrJoin(sizes, ", ");
  }

  const PpcgOutput& output_;
  const std::vector<DeviceArray>& arrays_;
  std::string text_;
  int indent_ = 1;
};

}  // namespace

absl::StatusOr<std::string> PrintPpcgLaunchSequence(const PpcgOutput& output,
                                                    const std::vector<DeviceArray>& arrays) {
  return PlanPrinter(output, arrays).Print();
}

}  // namespace tune
