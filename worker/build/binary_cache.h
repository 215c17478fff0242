// Binaries on disk, by the fingerprint of what they are made from.
#pragma once

#include <string>

#include "common/base/status.h"

namespace tune {

// In one folder, files DIGEST.bin, named by their content, and links KEY.key to the binary that the key
// stands for. Only the worker writes there: what it runs does not see the folder, but for the one file that a
// run needs, which it cannot change. Several workers may use a folder at once. Binaries beyond the limit are
// removed, those that were used longest ago first.
class BinaryCache {
 public:
  static absl::StatusOr<BinaryCache> Open(const std::string& folder, int64_t max_bytes = int64_t{512} << 20);

  // Path of the key's binary, or empty. One whose content is not what its name says is removed, and is none.
  std::string Find(const std::string& key) const;

  // Copies `file` into the cache and returns its path there. A reader never sees a part of it. Errors also
  // when it is no regular file.
  absl::StatusOr<std::string> Insert(const std::string& key, const std::string& file);

  const std::string& folder() const { return folder_; }

 private:
  BinaryCache(std::string folder, int64_t max_bytes) : folder_(std::move(folder)), max_bytes_(max_bytes) {}
  std::string KeyFile(const std::string& key) const { return absl::StrCat(folder_, "/", key, ".key"); }
  void RemoveOldest(const std::string& keep) const;

  std::string folder_;
  int64_t max_bytes_;
};

}  // namespace tune
