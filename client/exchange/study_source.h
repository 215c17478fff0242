// Another server that studies are copied from.
#pragma once

#include <string>
#include <vector>

#include "common/base/status.h"
#include "tune/v1/study.pb.h"

namespace tune {

// One thread.
class StudySource {
 public:
  virtual ~StudySource() = default;

  // For people and for Provenance.server.
  virtual const std::string& address() const = 0;

  // The studies there that have ended with a result, oldest first. Of each at least id, created_unix_ms and
  // finished_unix_ms are set.
  virtual absl::StatusOr<std::vector<v1::Study>> ListResults() = 0;

  // Where one of them came from; empty: it was made there.
  virtual absl::StatusOr<v1::Provenance> OriginOf(const v1::Study& listed) = 0;

  // The archive file of one study. NOT_FOUND: it is no longer there.
  virtual absl::StatusOr<std::string> FetchArchive(const std::string& study_id) = 0;
};

// How many studies a list may have at most.
inline constexpr int kMostStudies = 1'000'000;

}  // namespace tune
