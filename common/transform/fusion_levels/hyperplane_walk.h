// The decisions about one row of the schedule of a strongly connected component.
#pragma once

#include <string>
#include <vector>

#include "common/decision/chooser.h"
#include "common/schedule/hyperplane_set.h"

namespace tune {

struct HyperplaneQuestion {
  HyperplaneSet* set = nullptr;
  std::vector<std::string> keys;  // by statement of the set, of its component: "schedule[S0,S1]@1"
  // What is taken by default, of all statements, where it is not masked; empty: the simplest rows.
  std::vector<Hyperplane> standard;
  bool keeps_standard = true;  // it is not masked
  // Mask rows along which dependences move where there are others (Coding Ants, section 5.2: parallelism of
  // the outer two dimensions).
  bool parallel = false;
};

// Level O3 of the Coding Ants paper (section 5.1.3, figure 6). Asks for each statement S, in the scop's
// order:
// `.kind_S`, permute or skew, the node that stands between so that the many skews do not make skewing likely;
// `.row_S`, the coefficients of its iterators, "[1,0,-2]", among the valid ones of that kind. A decision with
// one allowed option is not asked. Returns the statements' rows; none when there are no valid ones.
absl::StatusOr<std::vector<Hyperplane>> ChooseHyperplanes(Chooser& chooser,
                                                          const HyperplaneQuestion& question);

}  // namespace tune
