#include "server/replay/recorded_file.h"

#include "common/exchange/archive.h"
#include "common/exchange/gzip.h"
#include "server/replay/archived_studies.h"
#include "server/replay/kernel_tuner_cache.h"

namespace tune {
namespace {

absl::StatusOr<std::vector<RecordedCandidate>> ParseRecordedFile(absl::string_view text,
                                                                 const std::vector<std::string>& studies,
                                                                 v1::SearchOptions* search) {
  if (LooksLikeArchive(text)) {
    TUNE_ASSIGN_OR_RETURN(const v1::Archive archive, ParseArchive(text));
    return CandidatesOfArchive(archive, studies, search);
  }
  if (!studies.empty())
    return absl::InvalidArgumentError("holds no studies to choose from: leave out --study");
  return ParseRecordedCandidates(text, search);
}

}  // namespace

absl::StatusOr<std::vector<RecordedCandidate>> ReadRecordedFile(const std::string& path,
                                                                const std::vector<std::string>& studies,
                                                                v1::SearchOptions* search) {
  TUNE_ASSIGN_OR_RETURN(const std::string text, ReadGzipFile(path));
  absl::StatusOr<std::vector<RecordedCandidate>> candidates = ParseRecordedFile(text, studies, search);
  if (candidates.ok()) return candidates;
  return absl::Status(candidates.status().code(), absl::StrCat(path, ": ", candidates.status().message()));
}

}  // namespace tune
