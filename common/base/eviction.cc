#include "common/base/eviction.h"

#include <algorithm>
#include <system_error>

namespace tune {
namespace {

namespace fs = std::filesystem;

int64_t FileBytes(const fs::directory_entry& file) {
  std::error_code gone;
  const bool regular = file.is_regular_file(gone);
  const auto bytes = regular ? file.file_size(gone) : 0;
  return gone ? 0 : static_cast<int64_t>(bytes);
}

int64_t Bytes(const fs::path& path) {
  std::error_code error;
  const fs::directory_entry entry(path, error);
  int64_t bytes = FileBytes(entry);
  if (!entry.is_directory(error)) return bytes;
  for (fs::recursive_directory_iterator it(path, error), end; !error && it != end; it.increment(error))
    bytes += FileBytes(*it);
  return bytes;
}

}  // namespace

void EvictLongestUnused(std::vector<CacheEntry> entries, int64_t max_bytes, const fs::path& keep) {
  std::sort(entries.begin(), entries.end(),
            [](const CacheEntry& a, const CacheEntry& b) { return a.used < b.used; });
  std::vector<int64_t> bytes;
  int64_t total = 0;
  for (const CacheEntry& entry : entries) {
    bytes.push_back(Bytes(entry.path));
    total += bytes.back();
  }
  for (size_t i = 0; i < entries.size() && total > max_bytes; ++i) {
    if (entries[i].path == keep) continue;
    std::error_code gone;
    fs::remove_all(entries[i].path, gone);
    total -= bytes[i];
  }
}

}  // namespace tune
