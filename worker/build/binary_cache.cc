#include "worker/build/binary_cache.h"

#include <filesystem>
#include <vector>

#include "common/base/eviction.h"
#include "common/base/file.h"
#include "common/base/fingerprint.h"
#include "common/base/untrusted_file.h"

namespace tune {

namespace fs = std::filesystem;

namespace {

constexpr int64_t kLargestBinary = int64_t{4} << 30;
constexpr char kSuffix[] = ".bin";

}  // namespace

absl::StatusOr<BinaryCache> BinaryCache::Open(const std::string& folder, int64_t max_bytes) {
  TUNE_RETURN_IF_ERROR(MakeFolder(folder));
  return BinaryCache(folder, max_bytes);
}

std::string BinaryCache::Find(const std::string& key) const {
  std::error_code error;
  const std::string digest = fs::read_symlink(KeyFile(key), error).stem().string();
  if (error) return "";
  const std::string path = absl::StrCat(folder_, "/", digest, kSuffix);
  const absl::StatusOr<std::string> bytes = ReadUntrustedFile(path, kLargestBinary);
  if (bytes.ok() && Fingerprint(*bytes) == digest) {
    fs::last_write_time(path, fs::file_time_type::clock::now(), error);
    return path;
  }
  fs::remove(path, error);
  fs::remove(KeyFile(key), error);
  return "";
}

absl::StatusOr<std::string> BinaryCache::Insert(const std::string& key, const std::string& file) {
  TUNE_ASSIGN_OR_RETURN(const std::string bytes, ReadUntrustedFile(file, kLargestBinary));
  const std::string name = Fingerprint(bytes) + kSuffix, path = absl::StrCat(folder_, "/", name);
  TUNE_RETURN_IF_ERROR(WriteFile(path, bytes));
  std::error_code error;
  fs::remove(KeyFile(key), error);
  fs::create_symlink(name, KeyFile(key), error);
  if (error && error != std::errc::file_exists) {  // another worker has made it meanwhile
    return absl::UnavailableError(absl::StrCat(KeyFile(key), ": ", error.message()));
  }
  RemoveOldest(path);
  return path;
}

void BinaryCache::RemoveOldest(const std::string& keep) const {
  std::vector<CacheEntry> entries;
  std::error_code error;
  for (const fs::directory_entry& file : fs::directory_iterator(folder_, error)) {
    std::error_code gone;
    // A key whose binary was removed before.
    if (file.is_symlink(gone) && !file.exists(gone)) fs::remove(file.path(), gone);
    if (file.path().extension() != kSuffix) continue;
    const fs::file_time_type used = file.last_write_time(gone);
    if (!gone) entries.push_back({file.path(), used});
  }
  EvictLongestUnused(std::move(entries), max_bytes_, keep);
}

}  // namespace tune
