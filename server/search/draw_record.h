// What an ant saw at one decision.
#pragma once

#include <string>
#include <vector>

#include "common/decision/chooser.h"

namespace tune {

struct DrawRecord {
  DecisionPoint point;
  std::vector<bool> open;       // what was left to draw from: not masked, not filtered, not used up
  std::vector<double> weights;  // of the draw; 0 where not open
  int chosen = 0;
  std::string reason;  // how it was chosen: "drawn", "as in candidate 7"
};

}  // namespace tune
