// What running applications try, on its way to a server.
#pragma once

#include <string>
#include <vector>

#include "client/cli/session.h"
#include "client/exchange/application_tries.h"

namespace tune {

// Reads what has come since the last time and sends it; `run_ended`: nothing more will come. Tells on
// standard error which studies are new, that they can be watched. Errors are those of the file and of the
// server; what was not sent is sent the next time.
absl::Status SendTries(Session& session, bool run_ended, ApplicationTries* tries,
                       std::vector<std::string>* study_ids);

}  // namespace tune
