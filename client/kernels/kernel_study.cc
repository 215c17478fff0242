#include "client/kernels/kernel_study.h"

#include <algorithm>
#include <filesystem>

#include "absl/strings/match.h"
#include "absl/strings/str_join.h"
#include "client/kernels/hdf5_fills.h"
#include "client/kernels/kernel_files.h"
#include "common/kernel_definition/definition_check.h"
#include "common/kernel_definition/definition_names.h"

namespace tune {
namespace {

namespace fs = std::filesystem;

// What has no meaning without a region or a program.
absl::Status CheckWishes(const FrontEndRequest& request, const StudyWishes& wishes) {
  const auto refuse = [](absl::string_view option) {
    return absl::InvalidArgumentError(
        absl::StrCat(option, ": ", "hand-written kernels have neither regions nor a program; leave it out"));
  };
  if (wishes.region != 0) return refuse("--region");
  if (!request.function.empty()) return refuse("--function");
  if (!request.arguments.empty()) return refuse("--arg");
  if (!request.standard_input.empty()) return refuse("--stdin");
  return absl::OkStatus();
}

absl::Status SetSizes(const std::map<std::string, int64_t>& sizes, v1::KernelDefinition* definition) {
  for (const auto& [name, value] : sizes) {
    const auto is_named = [&, &name = name](const v1::ProblemSize& size) { return size.name() == name; };
    const auto found =
        std::find_if(definition->mutable_problem()->begin(), definition->mutable_problem()->end(), is_named);
    if (found == definition->mutable_problem()->end()) {
      const auto print = [](std::string* out, const v1::ProblemSize& size) { out->append(size.name()); };
      return absl::InvalidArgumentError(absl::StrCat("size ", name,
                                                     ": the problem has no size of this name; it has: ",
                                                     absl::StrJoin(definition->problem(), ", ", print)));
    }
    found->set_size(absl::StrCat(value));
  }
  return absl::OkStatus();
}

// Paths of the command line as the definition's folder knows them.
std::vector<std::string> RelativeTo(const fs::path& folder, const std::vector<std::string>& paths) {
  std::vector<std::string> relative;
  std::error_code error;
  for (const std::string& path : paths)
    relative.push_back(fs::relative(fs::path(path), folder, error).lexically_normal().string());
  return relative;
}

}  // namespace

bool IsKernelDefinition(absl::string_view path) { return absl::EndsWith(path, ".tune"); }

absl::StatusOr<v1::StudySpec> MakeKernelSpec(v1::KernelDefinition definition, const FrontEndRequest& request,
                                             const StudyWishes& wishes) {
  TUNE_RETURN_IF_ERROR(CheckWishes(request, wishes));
  // 1. What the definition says.
  v1::StudySpec spec;
  TUNE_RETURN_IF_ERROR(SetSizes(wishes.parameters, &definition));
  TUNE_RETURN_IF_ERROR(Annotate(CheckDefinition(definition), request.file));
  // 2. The files that it names.
  const fs::path parent = fs::path(request.file).parent_path();
  const fs::path folder = parent.empty() ? "." : parent;
  absl::StatusOr<v1::Program> files =
      ReadKernelFiles(definition, folder.string(), RelativeTo(folder, request.with),
                      RelativeTo(folder, request.include_directories));
  if (!files.ok()) return Annotate(files.status(), request.file);
  *spec.mutable_program() = *std::move(files);
  v1::Program& program = *spec.mutable_program();
  program.mutable_defines()->Assign(request.defines.begin(), request.defines.end());
  program.mutable_compile_flags()->Assign(request.compile_flags.begin(), request.compile_flags.end());
  program.mutable_link_flags()->Assign(request.link_flags.begin(), request.link_flags.end());
  TUNE_RETURN_IF_ERROR(Annotate(TakeHdf5Fills(folder.string(), &definition, &program), request.file));
  *spec.mutable_kernel() = std::move(definition);
  // 3. What the user wants of it.
  spec.set_name(wishes.name);
  SetWishes(wishes, &spec);
  // Its language says where it runs.
  if (spec.target() == v1::TARGET_UNSPECIFIED) spec.set_target(TargetOf(spec.kernel()));
  return spec;
}

absl::StatusOr<std::vector<v1::StudySpec>> MakeSizedKernelSpecs(const v1::KernelDefinition& definition,
                                                                const FrontEndRequest& request,
                                                                const StudyWishes& wishes,
                                                                const std::vector<ProgramSize>& sizes) {
  std::vector<v1::StudySpec> specs;
  for (const ProgramSize& size : sizes) {
    StudyWishes sized = wishes;
    for (const auto& [name, value] : size) {
      if (!sized.parameters.emplace(name, value).second) {
        return absl::InvalidArgumentError(
            absl::StrCat("--sizes and --param both say ", name, ": leave one of them out"));
      }
    }
    TUNE_ASSIGN_OR_RETURN(v1::StudySpec spec, MakeKernelSpec(definition, request, sized));
    const std::string& name = wishes.name.empty() ? definition.kernels(0).name() : wishes.name;
    spec.set_name(absl::StrCat(name, " ", SizeText(size)));
    specs.push_back(std::move(spec));
  }
  return specs;
}

}  // namespace tune
