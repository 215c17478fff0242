// Files of recorded spaces, whatever wrote them.
#pragma once

#include <string>
#include <vector>

#include "server/replay/recorded_space.h"

namespace tune {

// The candidates of a file: a Kernel Tuner cache or T4 results (kernel_tuner_cache.h), or an archive of our
// own studies (archived_studies.h), compressed by gzip or not, of which those with an id in `studies` count,
// all where that is empty. Errors name the file; INVALID_ARGUMENT also when `studies` are named and the file
// is no archive.
// Candidates are judged by an objective: their times are its costs (ReplaceTimeByCost). `search` names it,
// or, where it names none or is null, the file does: then it is put there.
absl::StatusOr<std::vector<RecordedCandidate>> ReadRecordedFile(const std::string& path,
                                                                const std::vector<std::string>& studies,
                                                                v1::SearchOptions* search = nullptr);

}  // namespace tune
