// Case discussions as JSON.
#pragma once

#include "common/json/message_json.h"
#include "tune/v1/cases.pb.h"

namespace tune {

// name, requirement and kernels: name, function, symbols (name, machine, meaning), cases (conditions,
// decisions, values, function, unknown) and tree (condition, holds, fails; or case, from 1; null where there
// is none).
Json CaseDiscussionJson(const v1::CaseDiscussion& discussion);

}  // namespace tune
