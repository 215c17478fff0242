// What a strategy sees of the space: decisions, nothing of isl.
#pragma once

#include "common/decision/chooser.h"
#include "tune/v1/configuration.pb.h"

namespace tune {

// One thread at a time.
class Space {
 public:
  virtual ~Space() = default;
  // Asks every decision of one candidate. Which decisions are asked depends on the answers only. An
  // error of its own means that the decisions answered so far lead to no candidate (a schedule that
  // cannot be computed); the space stays usable.
  virtual absl::Status Walk(Chooser& chooser) = 0;
  // The same by a chooser that will probably answer as recorded, which can save time.
  virtual absl::Status WalkAs(const v1::Configuration& recorded, Chooser& chooser) { return Walk(chooser); }
};

}  // namespace tune
