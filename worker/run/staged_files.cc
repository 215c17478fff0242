#include "worker/run/staged_files.h"

#include <filesystem>

#include "common/base/fingerprint.h"

namespace tune {

namespace fs = std::filesystem;

absl::StatusOr<StagedFiles> StagedFiles::Make() {
  TUNE_ASSIGN_OR_RETURN(TemporaryFolder folder, TemporaryFolder::Make());
  return StagedFiles(std::move(folder));
}

absl::Status StagedFiles::Add(std::string* path) {
  std::error_code error;
  if (path->empty() || !fs::is_regular_file(*path, error)) return absl::OkStatus();
  const std::string name = fs::path(*path).filename().string();
  const std::string staged = absl::StrCat(folder(), "/", Fingerprint(*path).substr(0, 8), ".", name);
  fs::create_hard_link(*path, staged, error);
  if (error && error != std::errc::file_exists) {
    fs::copy_file(*path, staged, error);
    if (error) return absl::UnavailableError(absl::StrCat(staged, ": ", error.message()));
  }
  *path = staged;
  return absl::OkStatus();
}

void StagedFiles::Clear() {
  std::error_code error;
  for (const fs::directory_entry& file : fs::directory_iterator(folder(), error))
    fs::remove(file.path(), error);
}

}  // namespace tune
