#include "worker/build/binary_cache.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "common/base/file.h"

namespace tune {
namespace {

namespace fs = std::filesystem;

}  // namespace

absl::StatusOr<BinaryCache> BinaryCache::Open(const std::string& folder, int64_t max_bytes) {
  TUNE_RETURN_IF_ERROR(MakeFolder(folder));
  return BinaryCache(folder, max_bytes);
}

std::string BinaryCache::Find(const std::string& key) const {
  const std::string path = absl::StrCat(folder_, "/", key, ".so");
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return "";
  fs::last_write_time(path, fs::file_time_type::clock::now(), error);
  return path;
}

absl::StatusOr<std::string> BinaryCache::Insert(const std::string& key, const std::string& file) {
  const std::string path = absl::StrCat(folder_, "/", key, ".so");
  TUNE_ASSIGN_OR_RETURN(const std::string bytes, ReadFile(file));
  TUNE_RETURN_IF_ERROR(WriteFile(path, bytes));
  RemoveOldest(path);
  return path;
}

void BinaryCache::RemoveOldest(const std::string& keep) const {
  struct Entry {
    fs::path path;
    fs::file_time_type used;
    int64_t bytes;
  };
  std::vector<Entry> entries;
  int64_t total = 0;
  std::error_code error;
  for (const fs::directory_entry& file : fs::directory_iterator(folder_, error)) {
    if (file.path().extension() != ".so") continue;
    // Another process may remove it meanwhile; its time and size then do not matter.
    std::error_code gone;
    entries.push_back({file.path(), file.last_write_time(gone), static_cast<int64_t>(file.file_size(gone))});
    if (gone) {
      entries.pop_back();
    } else {
      total += entries.back().bytes;
    }
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.used < b.used; });
  for (const Entry& entry : entries) {
    if (total <= max_bytes_) return;
    if (entry.path == keep) continue;
    fs::remove(entry.path, error);
    total -= entry.bytes;
  }
}

}  // namespace tune
