// Every walk through a space of decisions.
#pragma once

#include <functional>

#include "common/decision/chooser.h"

namespace tune {

// Calls `walk`, which walks with the chooser that it is given, once for each sequence of answers, in the
// order of the options; returns how often. A walk may end early with an error; the next one goes on from
// there.
int ForAllWalks(const std::function<void(Chooser&)>& walk);

}  // namespace tune
