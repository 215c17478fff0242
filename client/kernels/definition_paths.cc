#include "client/kernels/definition_paths.h"

#include <filesystem>

namespace tune {
namespace {

namespace fs = std::filesystem;

fs::path Whole(const std::string& folder) {
  return fs::absolute(folder.empty() ? "." : folder).lexically_normal();
}

}  // namespace

std::string RebasePath(const std::string& path, const std::string& from, const std::string& to) {
  if (path.empty() || fs::path(path).is_absolute() || Whole(from) == Whole(to)) return path;
  return (Whole(from) / path).lexically_normal().lexically_relative(Whole(to)).string();
}

void RebaseFiles(const std::string& from, const std::string& to, v1::KernelDefinition* definition) {
  const auto rebase = [&](std::string* path) { *path = RebasePath(*path, from, to); };
  for (v1::KernelArgument& argument : *definition->mutable_arguments()) {
    if (argument.fill().has_file()) rebase(argument.mutable_fill()->mutable_file()->mutable_path());
  }
  if (!definition->has_reference()) return;
  v1::KernelReference& reference = *definition->mutable_reference();
  for (v1::OutputCheck& check : *reference.mutable_checks()) {
    if (check.expected().has_file()) rebase(check.mutable_expected()->mutable_file()->mutable_path());
  }
  if (reference.has_plain_kernel()) rebase(reference.mutable_plain_kernel()->mutable_file());
  if (reference.has_host_function()) rebase(reference.mutable_host_function()->mutable_file());
}

}  // namespace tune
