// The tuned file of finished studies.
#pragma once

#include <string>
#include <vector>

#include "client/cli/session.h"

namespace tune {

struct TunedOutput {
  std::string text;     // the user's file with its regions replaced
  v1::Program program;  // that it belongs to
};

// Asks the server for the studies' programs and best candidates. All must be of regions of one file.
// NOT_FOUND when a study has no correct candidate.
absl::StatusOr<TunedOutput> FetchTuned(Session& session, StudyClient& client,
                                       const std::vector<std::string>& studies);

}  // namespace tune
