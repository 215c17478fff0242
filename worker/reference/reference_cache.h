// References of studies on disk.
#pragma once

#include <string>

#include "worker/reference/reference_data.h"

namespace tune {

// Folders KEY below one folder; KEY is the fingerprint of everything a reference run depends on, so that
// the same program submitted twice, or to two servers, shares one. Several processes may use the folder at
// once.
class ReferenceCache {
 public:
  // `max_bytes`: of all references together; those used longest ago are removed first.
  explicit ReferenceCache(std::string folder, int64_t max_bytes = int64_t{16} << 30)
      : folder_(std::move(folder)), max_bytes_(max_bytes) {}

  // NOT_FOUND when there is none.
  absl::StatusOr<ReferenceData> Load(const v1::StudySetup& setup, const Compiler& compiler) const;

  // Runs the program, by `run`, and keeps the result in place of an older one.
  absl::StatusOr<ReferenceData> Run(const v1::StudySetup& setup, const ReferenceTools& tools,
                                    std::string* log, const ReferenceRun& run = RunReference) const;

 private:
  std::string Path(const v1::StudySetup& setup, const Compiler& compiler) const;
  void RemoveOldest(const std::string& keep) const;

  const std::string folder_;
  const int64_t max_bytes_;
};

}  // namespace tune
