#include "client/kernels/hdf5_fills.h"

#include <algorithm>
#include <filesystem>

#include "absl/strings/str_replace.h"
#include "client/kernels/hdf5_file.h"
#include "common/kernel_definition/argument_form.h"

namespace tune {
namespace {

// One fill of the argument.
absl::Status TakeFill(const v1::KernelArgument& argument, const NamedValues& study, const std::string& folder,
                      v1::FileFill* fill, v1::Program* program) {
  if (fill->format() != v1::FILE_HDF5) return absl::OkStatus();
  const std::string dataset = fill->dataset().empty() ? argument.name() : fill->dataset();
  TUNE_ASSIGN_OR_RETURN(const int64_t count, CountOf(argument, study));
  const int64_t numbers = count * std::max(1, argument.lanes());
  TUNE_ASSIGN_OR_RETURN(std::string bytes, ReadHdf5((std::filesystem::path(folder) / fill->path()).string(),
                                                    dataset, argument.type(), numbers));
  const std::string name = std::filesystem::path(fill->path()).filename().string();
  const std::string path = absl::StrCat(name, ".", absl::StrReplaceAll(dataset, {{"/", "_"}}), ".raw");
  fill->set_path(path);
  fill->set_format(v1::FILE_RAW);
  fill->clear_dataset();
  const auto has_path = [&](const v1::SourceFile& file) { return file.path() == path; };
  if (std::any_of(program->files().begin(), program->files().end(), has_path)) return absl::OkStatus();
  v1::SourceFile& file = *program->add_files();
  file.set_path(path);
  file.set_content(std::move(bytes));
  return absl::OkStatus();
}

}  // namespace

absl::Status TakeHdf5Fills(const std::string& folder, v1::KernelDefinition* definition,
                           v1::Program* program) {
  TUNE_ASSIGN_OR_RETURN(const NamedValues problem, ProblemNames(*definition));
  const NamedValues study = StudyNames(*definition, problem);
  for (v1::KernelArgument& argument : *definition->mutable_arguments()) {
    if (!argument.fill().has_file()) continue;
    TUNE_RETURN_IF_ERROR(
        Annotate(TakeFill(argument, study, folder, argument.mutable_fill()->mutable_file(), program),
                 ArgumentText(argument)));
  }
  for (v1::OutputCheck& check : *definition->mutable_reference()->mutable_checks()) {
    if (!check.expected().has_file()) continue;
    for (const v1::KernelArgument& argument : definition->arguments()) {
      if (argument.name() != check.argument()) continue;
      TUNE_RETURN_IF_ERROR(
          Annotate(TakeFill(argument, study, folder, check.mutable_expected()->mutable_file(), program),
                   ArgumentText(argument)));
    }
  }
  return absl::OkStatus();
}

}  // namespace tune
