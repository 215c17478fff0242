// Binaries on disk, by the fingerprint of what they are made from.
#pragma once

#include <string>

#include "common/base/status.h"

namespace tune {

// Files KEY.bin in one folder. Several processes may use a folder at once. Files beyond the limits are
// removed, those that were used longest ago first.
class BinaryCache {
 public:
  static absl::StatusOr<BinaryCache> Open(const std::string& folder, int64_t max_bytes = int64_t{512} << 20);

  // Path of the entry, or empty.
  std::string Find(const std::string& key) const;

  // Copies `file` into the cache and returns its path there. A reader never sees a part of it.
  absl::StatusOr<std::string> Insert(const std::string& key, const std::string& file);

  const std::string& folder() const { return folder_; }

 private:
  BinaryCache(std::string folder, int64_t max_bytes) : folder_(std::move(folder)), max_bytes_(max_bytes) {}
  void RemoveOldest(const std::string& keep) const;

  std::string folder_;
  int64_t max_bytes_;
};

}  // namespace tune
