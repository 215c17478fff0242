// Files for a process whose sandbox was made before they were known.
#pragma once

#include <memory>
#include <string>

#include "common/base/file.h"

namespace tune {

// A folder that a sandbox shows, to be read, from its begin: what a job needs is put there for as long as it
// runs.
class StagedFiles {
 public:
  static absl::StatusOr<StagedFiles> Make();

  const std::string& folder() const { return folder_.path(); }

  // Puts the file there, as a link where the file system can, and `path` becomes its path there: the same for
  // the same path. One that is not there is left to who reads it.
  absl::Status Add(std::string* path);

  // Takes all away; who has a file open keeps it.
  void Clear();

 private:
  explicit StagedFiles(TemporaryFolder folder) : folder_(std::move(folder)) {}
  TemporaryFolder folder_;
};

}  // namespace tune
