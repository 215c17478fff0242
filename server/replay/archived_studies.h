// Studies of our own as recorded spaces.
#pragma once

#include <string>
#include <vector>

#include "common/base/status.h"
#include "server/replay/recorded_space.h"
#include "tune/v1/archive.pb.h"

namespace tune {

// What the searches of an archive's studies evaluated, each configuration once: the first time that it was
// not lost with its worker. Replays, and candidates whose study ended before them, are left out. Evaluations
// keep outcome, median, kernels' times and counters. Candidate 0 is the default. `studies`: the ids in the
// archive that count; none: all. They must be of one space: scop, parameter values, device model, level; and
// of one objective, unless `search` names one. NOT_FOUND for an id that the archive lacks; INVALID_ARGUMENT
// when they are of several spaces, names two and tells what differs. `search`: as ReadRecordedFile.
absl::StatusOr<std::vector<RecordedCandidate>> CandidatesOfArchive(const v1::Archive& archive,
                                                                   const std::vector<std::string>& studies,
                                                                   v1::SearchOptions* search = nullptr);

}  // namespace tune
