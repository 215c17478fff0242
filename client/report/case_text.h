// Case discussions for people.
#pragma once

#include <string>

#include "tune/v1/cases.pb.h"

namespace tune {

// For each kernel its symbols, its cases as a tree of conditions, and what each case needs of the machine.
std::string CaseDiscussionText(const v1::CaseDiscussion& discussion);

}  // namespace tune
