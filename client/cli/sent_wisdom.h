// What applications learnt, on its way to a server.
#pragma once

#include <string>
#include <vector>

#include "client/cli/session.h"
#include "client/exchange/application_wisdom.h"

namespace tune {

struct SentWisdom {
  size_t sent = 0;
  int fresh = 0;  // that the server did not know
};

// Sends results of the wisdom file `file`, each as a study without code whose candidate is of origin online.
// Can be repeated: what is there already is not added again. Errors are those of the server.
absl::StatusOr<SentWisdom> SendWisdom(Session& session, const std::vector<LearntResult>& results,
                                      const std::string& file);

}  // namespace tune
