#include "client/extract/source/program_bundle.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "common/base/file.h"

namespace tune {
namespace {

namespace fs = std::filesystem;

// Absolute, without "." and ".."; links are kept as the user named them.
fs::path Absolute(const std::string& path) {
  std::error_code error;
  fs::path absolute = fs::absolute(path, error).lexically_normal();
  if (!absolute.has_filename() && absolute.has_relative_path()) absolute = absolute.parent_path();
  return absolute;
}

// The longest common beginning, in whole components.
fs::path CommonAncestor(const fs::path& a, const fs::path& b) {
  fs::path common;
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end() && *i == *j; ++i, ++j) common /= *i;
  return common;
}

std::string Below(const fs::path& path, const fs::path& root) {
  std::string relative = path.lexically_relative(root).generic_string();
  return relative.empty() ? "." : relative;
}

bool Contains(const fs::path& folder, const fs::path& path) { return CommonAncestor(folder, path) == folder; }

}  // namespace

absl::StatusOr<v1::Program> BundleProgram(const std::vector<const TranslationUnit*>& units,
                                          const std::vector<std::string>& include_directories) {
  // 1. All files, each once: sources first, in order.
  std::vector<fs::path> files;
  std::set<fs::path> known, used_folders;
  auto add = [&](const std::string& path) {
    if (known.insert(Absolute(path)).second) files.push_back(Absolute(path));
  };
  for (const TranslationUnit* unit : units) add(unit->path());
  for (const TranslationUnit* unit : units) {
    for (const std::string& header : unit->user_headers()) add(header);
    for (const std::string& folder : unit->used_include_directories()) used_folders.insert(Absolute(folder));
  }
  // 2. The folder that holds them and the include directories that matter.
  std::vector<fs::path> folders;
  for (const std::string& folder : include_directories) {
    if (used_folders.count(Absolute(folder)) > 0) folders.push_back(Absolute(folder));
  }
  fs::path root = files.front().parent_path();
  for (const fs::path& file : files) root = CommonAncestor(root, file.parent_path());
  for (const fs::path& folder : folders) root = CommonAncestor(root, folder);
  // 3. The message.
  v1::Program program;
  for (const fs::path& path : files) {
    v1::SourceFile* file = program.add_files();
    file->set_path(Below(path, root));
    TUNE_ASSIGN_OR_RETURN(*file->mutable_content(), ReadFile(path.string()));
  }
  for (const TranslationUnit* unit : units) {
    std::string path = Below(Absolute(unit->path()), root);
    if (std::find(program.sources().begin(), program.sources().end(), path) == program.sources().end())
      program.add_sources(path);
    program.set_has_main(program.has_main() || unit->DefinesMain());
  }
  for (const fs::path& folder : folders) {
    if (Contains(root, folder)) program.add_include_directories(Below(folder, root));
  }
  return program;
}

}  // namespace tune
