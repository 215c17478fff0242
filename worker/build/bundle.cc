#include "worker/build/bundle.h"

#include <filesystem>

#include "absl/strings/str_split.h"
#include "common/base/file.h"

namespace tune {
namespace {

// Every component is a plain name.
bool StaysBelow(absl::string_view path) {
  if (path.empty()) return false;
  for (absl::string_view component : absl::StrSplit(path, '/')) {
    if (component.empty() || component == "." || component == "..") return false;
  }
  return path.find('\0') == absl::string_view::npos;
}

}  // namespace

absl::Status WriteBundle(const v1::Program& program, const std::string& folder) {
  for (const v1::SourceFile& file : program.files()) {
    if (!StaysBelow(file.path())) {
      return absl::InvalidArgumentError(absl::StrCat(
          "the program's file `", file.path(), "` does not lie below the program's folder; submit again"));
    }
    const std::string path = absl::StrCat(folder, "/", file.path());
    TUNE_RETURN_IF_ERROR(MakeFolder(std::filesystem::path(path).parent_path().string()));
    TUNE_RETURN_IF_ERROR(WriteFile(path, file.content()));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> BundledFile(const v1::Program& program, const std::string& path) {
  for (const v1::SourceFile& file : program.files()) {
    if (file.path() == path) return file.content();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("the program has no file `", path, "`, in which the region should be; submit again"));
}

}  // namespace tune
