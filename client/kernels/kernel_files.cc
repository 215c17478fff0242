#include "client/kernels/kernel_files.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "client/kernels/source_tokens.h"
#include "common/base/file.h"
#include "common/base/plain_text.h"

namespace tune {
namespace {

namespace fs = std::filesystem;

bool IsBelow(const fs::path& path) {
  return !path.empty() && !path.is_absolute() && *path.begin() != ".." && path != ".";
}

// Collects files and what they include.
class FileCollection {
 public:
  FileCollection(const std::string& folder, std::vector<std::string> include_directories)
      : folder_(folder), include_directories_(std::move(include_directories)) {}

  // Relative to the folder. The path as the program has it.
  absl::StatusOr<std::string> Add(const std::string& name, bool is_source) {
    const fs::path path = fs::path(name).lexically_normal();
    if (!IsBelow(path)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "file ", EscapeLine(name), " lies outside of ", folder_.string(),
          ", the definition's folder, of which workers get the files; put the definition above all of them"));
    }
    TUNE_RETURN_IF_ERROR(Read(path, is_source));
    return path.string();
  }

  v1::Program& program() { return program_; }

 private:
  absl::Status Read(const fs::path& path, bool is_source) {
    if (!seen_.insert(path.string()).second) return absl::OkStatus();
    TUNE_ASSIGN_OR_RETURN(const std::string content, tune::ReadFile((folder_ / path).string()));
    v1::SourceFile& file = *program_.add_files();
    file.set_path(path.string());
    file.set_content(content);
    return is_source ? ReadIncluded(path, content) : absl::OkStatus();
  }

  absl::Status ReadIncluded(const fs::path& from, const std::string& content) {
    for (const SourceDirective& directive : TokensOf(content).directives) {
      if (directive.name != "include" || directive.tokens.empty()) continue;
      const SourceToken& token = directive.tokens[0];
      if (token.kind != SourceToken::Kind::kString || token.text.size() < 3 || token.text[0] != '"') continue;
      const std::string name = token.text.substr(1, token.text.size() - 2);
      const fs::path found = Find(from.parent_path(), name);
      if (!found.empty()) TUNE_RETURN_IF_ERROR(Read(found, /*is_source=*/true));
    }
    return absl::OkStatus();
  }

  // Empty: not here.
  fs::path Find(const fs::path& beside, const std::string& name) const {
    std::vector<fs::path> places = {beside};
    places.insert(places.end(), include_directories_.begin(), include_directories_.end());
    for (const fs::path& place : places) {
      const fs::path path = (place / name).lexically_normal();
      std::error_code error;
      if (IsBelow(path) && fs::is_regular_file(folder_ / path, error)) return path;
    }
    return {};
  }

  const fs::path folder_;
  const std::vector<std::string> include_directories_;
  std::set<std::string> seen_;
  v1::Program program_;
};

std::vector<std::string> FilesOfValues(const v1::KernelDefinition& definition) {
  std::vector<std::string> files;
  const auto add = [&](const v1::ArgumentFill& fill) {
    if (fill.has_file() && fill.file().format() != v1::FILE_HDF5) files.push_back(fill.file().path());
  };
  for (const v1::KernelArgument& argument : definition.arguments()) add(argument.fill());
  for (const v1::OutputCheck& check : definition.reference().checks()) add(check.expected());
  return files;
}

}  // namespace

absl::StatusOr<v1::Program> ReadKernelFiles(const v1::KernelDefinition& definition, const std::string& folder,
                                            const std::vector<std::string>& with,
                                            const std::vector<std::string>& include_directories) {
  FileCollection files(folder, include_directories);
  std::vector<std::string> sources = {definition.file()};
  sources.insert(sources.end(), with.begin(), with.end());
  for (const std::string& source : sources) {
    TUNE_ASSIGN_OR_RETURN(const std::string path, files.Add(source, /*is_source=*/true));
    files.program().add_sources(path);
  }
  const v1::KernelReference& reference = definition.reference();
  for (const std::string& file : {reference.plain_kernel().file(), reference.host_function().file()})
    if (!file.empty()) TUNE_RETURN_IF_ERROR(files.Add(file, /*is_source=*/true).status());
  for (const std::string& file : FilesOfValues(definition))
    TUNE_RETURN_IF_ERROR(files.Add(file, /*is_source=*/false).status());
  for (const std::string& place : include_directories) files.program().add_include_directories(place);
  return std::move(files.program());
}

}  // namespace tune
