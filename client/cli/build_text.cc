#include "client/cli/build_text.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace tune {

std::string KernelBuildText(const TunedOutput& tuned, const std::string& output) {
  std::string included = absl::StrCat("build ", tuned.kernel_file, " with -include ", output);
  if (!tuned.size_macros.empty())
    absl::StrAppend(&included, " and ", absl::StrJoin(tuned.size_macros, " or "));
  included += ".\n";
  if (tuned.launch_function.empty()) return included;
  return absl::StrCat("build\n  ", absl::StrJoin(DeviceBuildCommands(tuned), "\n  "), "\nand call\n  ",
                      tuned.launch_function, ";\nor ", included);
}

std::string BuildText(const ProgramOptions& program, const std::vector<ProgramSize>& sizes,
                      const TunedOutput& tuned, const std::string& output) {
  if (!tuned.kernel_file.empty()) {
    return absl::StrCat("Wrote ", NamesOfTunedFiles(tuned, output), "; ", KernelBuildText(tuned, output));
  }
  std::string text = absl::StrCat("Wrote ", NamesOfTunedFiles(tuned, output), ". Build it with\n");
  for (const std::string& command : DeviceBuildCommands(tuned)) absl::StrAppend(&text, "  ", command, "\n");
  absl::StrAppend(
      &text, "  ",
      program.BuildCommand(tuned.program, output, {tuned.openmp, DeviceObjects(tuned), tuned.online}), "\n");
  std::vector<std::string> macros;
  for (const std::vector<std::string>& defines : tuned.defines) {
    const std::string of_size = SizeMacros(defines, sizes);
    if (!of_size.empty() && std::count(macros.begin(), macros.end(), of_size) == 0) macros.push_back(of_size);
  }
  if (macros.empty()) return text;
  return absl::StrCat(text, "Tuned code runs with ", absl::StrJoin(macros, " or "),
                      "; with any other value it builds, too, and runs your own code.\n");
}

}  // namespace tune
