// Bounds the bytes of a folder that caches files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace tune {

// A file, or a folder with all it holds.
struct CacheEntry {
  std::filesystem::path path;
  std::filesystem::file_time_type used;  // last
};

// Removes entries, the longest unused first, until those left hold at most `max_bytes`; never `keep`. What
// another process removes meanwhile is no error.
void EvictLongestUnused(std::vector<CacheEntry> entries, int64_t max_bytes,
                        const std::filesystem::path& keep);

}  // namespace tune
