// A client's view of a study, over the wire.
#pragma once

#include "server/service/guarded_service.h"
#include "server/study/study_watch.h"

namespace tune {

// Sends the study now and after changes, until it has ended or the caller has left; holds no thread
// meanwhile.
void SendChanges(StudyWatch watch, const Call& call);

}  // namespace tune
