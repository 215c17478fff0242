// Following a study until it ends, on any of the verbs that wait.
#pragma once

#include <string>

#include "client/cli/interrupt.h"
#include "client/cli/session.h"

namespace tune {

struct FollowOptions {
  // At Ctrl-C: cancel the study and wait for it to stop; else, and at other signals, only stop following.
  bool cancel_on_interrupt = false;
  // Called with every update instead of drawing progress, when set.
  std::function<void(const v1::Study&)> on_update;
  // How long the server may be silent.
  absl::Duration patience = absl::Seconds(60);
  // How long a study may be queued before its user is told why no worker takes it.
  absl::Duration queue_patience = absl::Seconds(4);
};

struct Followed {
  v1::Study study;  // as last seen
  bool interrupted = false;
  bool cancelled = false;  // because of the interrupt
};

// Shows the study's progress until it has finished, the user interrupts, or the server stays silent. Keeps
// the session's private server running, when it has one.
absl::StatusOr<Followed> Follow(Session& session, StudyClient& client, const std::string& study_id,
                                const InterruptGuard& interrupt, const FollowOptions& options);

// kExitOk for a study that is done with something correct, kExitInterrupted, or kExitStudyFailed.
int StudyExitCode(const Followed& followed);

}  // namespace tune
