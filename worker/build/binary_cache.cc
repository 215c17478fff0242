#include "worker/build/binary_cache.h"

#include <filesystem>
#include <vector>

#include "common/base/eviction.h"
#include "common/base/file.h"

namespace tune {

namespace fs = std::filesystem;

absl::StatusOr<BinaryCache> BinaryCache::Open(const std::string& folder, int64_t max_bytes) {
  TUNE_RETURN_IF_ERROR(MakeFolder(folder));
  return BinaryCache(folder, max_bytes);
}

std::string BinaryCache::Find(const std::string& key) const {
  const std::string path = absl::StrCat(folder_, "/", key, ".bin");
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return "";
  fs::last_write_time(path, fs::file_time_type::clock::now(), error);
  return path;
}

absl::StatusOr<std::string> BinaryCache::Insert(const std::string& key, const std::string& file) {
  const std::string path = absl::StrCat(folder_, "/", key, ".bin");
  TUNE_ASSIGN_OR_RETURN(const std::string bytes, ReadFile(file));
  TUNE_RETURN_IF_ERROR(WriteFile(path, bytes));
  RemoveOldest(path);
  return path;
}

void BinaryCache::RemoveOldest(const std::string& keep) const {
  std::vector<CacheEntry> entries;
  std::error_code error;
  for (const fs::directory_entry& file : fs::directory_iterator(folder_, error)) {
    if (file.path().extension() != ".bin") continue;
    std::error_code gone;
    const fs::file_time_type used = file.last_write_time(gone);
    if (!gone) entries.push_back({file.path(), used});
  }
  EvictLongestUnused(std::move(entries), max_bytes_, keep);
}

}  // namespace tune
