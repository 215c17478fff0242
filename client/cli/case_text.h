// Case discussions for people and as JSON.
#pragma once

#include <string>

#include "client/report/json.h"
#include "tune/v1/cases.pb.h"

namespace tune {

// For each kernel its symbols, its cases as a tree of conditions, and what each case needs of the machine.
std::string CaseDiscussionText(const v1::CaseDiscussion& discussion);

// name, requirement and kernels: name, function, symbols (name, machine, meaning), cases (conditions,
// decisions, values, function, unknown) and tree (condition, holds, fails; or case, from 1; null where there
// is none).
Json CaseDiscussionJson(const v1::CaseDiscussion& discussion);

}  // namespace tune
