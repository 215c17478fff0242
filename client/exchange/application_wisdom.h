// Wisdom files of libtune: what applications learnt of their regions while they ran.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/base/status.h"
#include "tune/v1/archive.pb.h"

namespace tune {

// The best configuration of a region on a device for the numbers that it depends on, sizes above all.
struct LearntResult {
  std::string region, device;
  std::vector<int64_t> inputs;
  double seconds = 0;
  std::map<std::string, std::string> values;  // of parameters
};

// By region, device and inputs. NOT_FOUND without such a file; INVALID_ARGUMENT for what is no wisdom file,
// is damaged, or of a newer libtune; UNAVAILABLE when it cannot be read.
absl::StatusOr<std::vector<LearntResult>> ReadLearntResults(const std::string& path);

// Adds results to the file, under the lock of all applications that use it, and makes it where there is none;
// of two results of the same the faster one stays. The errors of ReadLearntResults, after which the file is
// as it was.
absl::Status AddLearntResults(const std::string& path, const std::vector<LearntResult>& results);

// A study of this one result, of origin ONLINE. The same result always makes the same study. `source`: for
// its provenance.
v1::ArchivedStudy StudyOfLearntResult(const LearntResult& result, const std::string& source);

// Back; values are those of the study's best candidate. Nothing of studies that are no such ones.
std::optional<LearntResult> LearntResultOf(const v1::Study& study, const v1::Configuration& best);

}  // namespace tune
