#include "worker/reference/reference_cache.h"

#include <filesystem>
#include <map>

#include "common/base/eviction.h"
#include "common/base/file.h"
#include "common/base/fingerprint.h"

namespace tune {
namespace {

namespace fs = std::filesystem;

// The arrays first, so that reference.pb still means that all is there.
std::error_code CopyReference(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::create_directories(to, error);
  for (const char* part : {"in", "out", "fresh", "reference.pb"}) {
    if (!error && fs::exists(from / part))
      fs::copy(from / part, to / part, fs::copy_options::recursive, error);
  }
  return error;
}

}  // namespace

std::string ReferenceCache::Path(const v1::StudySetup& setup, const Compiler& compiler) const {
  std::string text = absl::StrCat("reference 2\n", compiler.CandidateKey(setup.program()), "\n",
                                  setup.scop().SerializeAsString(), "\n");
  v1::Program program = setup.program();
  // The wire order of a map is not fixed.
  std::map<std::string, int64_t> values(program.parameter_values().begin(), program.parameter_values().end());
  program.clear_parameter_values();
  for (const auto& [name, value] : values) absl::StrAppend(&text, name, "=", value, "\n");
  absl::StrAppend(&text, program.SerializeAsString(), "\n", program.has_main() ? 0 : setup.seed());
  if (setup.has_kernel()) absl::StrAppend(&text, "\nkernel\n", setup.kernel().SerializeAsString());
  return absl::StrCat(folder_, "/", Fingerprint(text));
}

absl::StatusOr<ReferenceData> ReferenceCache::Load(const v1::StudySetup& setup,
                                                   const Compiler& compiler) const {
  const std::string path = Path(setup, compiler);
  std::error_code ignored;
  fs::last_write_time(path + "/reference.pb", fs::file_time_type::clock::now(), ignored);
  return LoadReference(path);
}

absl::StatusOr<ReferenceData> ReferenceCache::Run(const v1::StudySetup& setup, const ReferenceTools& tools,
                                                  std::string* log, const ReferenceRun& run) const {
  TUNE_RETURN_IF_ERROR(MakeFolder(folder_));
  const std::string path = Path(setup, *tools.compiler);
  TUNE_ASSIGN_OR_RETURN(const TemporaryFolder temporary, TemporaryFolder::Make());
  TUNE_ASSIGN_OR_RETURN(ReferenceData data, run(setup, tools, temporary.path() + "/new", log));
  std::error_code error;
  fs::remove_all(path, error);
  fs::rename(data.folder, path, error);
  if (error == std::errc::cross_device_link) error = CopyReference(data.folder, path);
  if (error) return absl::UnavailableError(absl::StrCat(path, ": ", error.message()));
  data.folder = path;
  RemoveOldest(path);
  return data;
}

void ReferenceCache::RemoveOldest(const std::string& keep) const {
  std::vector<CacheEntry> entries;
  std::error_code error;
  for (const fs::directory_entry& folder : fs::directory_iterator(folder_, error)) {
    std::error_code none;
    const fs::file_time_type used = fs::last_write_time(folder.path() / "reference.pb", none);
    if (!none) entries.push_back({folder.path(), used});  // else it is being made
  }
  EvictLongestUnused(std::move(entries), max_bytes_, keep);
}

}  // namespace tune
