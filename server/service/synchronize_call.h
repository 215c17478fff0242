// A worker's call over the wire.
#pragma once

#include "server/service/guarded_service.h"
#include "server/study/synchronization.h"

namespace tune {

// Answers the call when there is something to say, and holds no thread until then.
void AnswerWhenReady(Synchronization synchronization, const Call& call);

}  // namespace tune
