#include "server/search/parameter_search_space.h"

#include "common/parameters/parameter_walk.h"

namespace tune {

absl::Status ParameterSearchSpace::Walk(Chooser& chooser) {
  return WalkParameters(*space_, defaults_, chooser).status();
}

}  // namespace tune
