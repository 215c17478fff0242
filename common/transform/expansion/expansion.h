// Expansion (privatisation) of temporaries: removes false dependences by giving an array that iterations
// reuse one copy for each iteration, after Feautrier, Array Expansion (ICS 1988), restricted to leading
// dimensions that are loops of the original program, with last-value copy-out.
//
// The unit is the live range: references of an array that values flow between. Live ranges of one array are
// expanded (or just renamed) each for itself: a scalar that two nests use for different purposes becomes two
// arrays. Values from before the region are copied into the new array first, so reads of them are no
// hindrance; a live range that may read undefined elements keeps its array. A value that is read after the
// loops (as the copies back do) is a flow dependence out of them, so its live range is not expanded along
// them: choose the depth at once.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "common/dependence/dependence.h"
#include "common/transform/expansion/expansion_plan.h"

namespace tune {

// Callers should refuse what is larger.
inline constexpr int64_t kLargestExpansion = int64_t{1} << 30;  // bytes

struct Expandable {
  std::string array;
  // Of its live ranges, the most outermost loops along which iterations can have copies of their own. Of
  // these, only loops that carry a false dependence on the array get a dimension. 0: only some live range
  // gets a new array of the same shape.
  int depth = 0;
  CopiesAlong along = CopiesAlong::kAllLoops;  // others get none
  int64_t bytes = 0;  // of all new arrays together at the parameter values; INT64_MAX: more than that
};

// The arrays whose expansion removes false dependences that some loop carries, in the scop's order, each at
// the largest depth that removes any. `parameter_values` must have all parameters (else INVALID_ARGUMENT).
// Other errors: those of IslContext::Run.
absl::StatusOr<std::vector<Expandable>> FindExpandable(
    IslContext& context, const ParsedScop& scop, const Dependences& dependences,
    const std::map<std::string, int64_t>& parameter_values);

// `array` as FindExpandable finds it, but looking only at the `depth` outermost loops: less memory, more
// false dependences left. FAILED_PRECONDITION when that removes none.
absl::StatusOr<Expandable> ExpandableAtDepth(IslContext& context, const ParsedScop& scop,
                                             const Dependences& dependences, const std::string& array,
                                             int depth,
                                             const std::map<std::string, int64_t>& parameter_values);

// `array` as FindExpandable finds it, with copies along parallel loops alone: what is left of a temporary of
// the innermost loop's body where copies for all iterations are too large. FAILED_PRECONDITION when that
// removes no false dependence.
absl::StatusOr<Expandable> ExpandableAlong(IslContext& context, const ParsedScop& scop,
                                           const Dependences& dependences, const std::string& array,
                                           CopiesAlong along,
                                           const std::map<std::string, int64_t>& parameter_values);

// A scop that computes the same. The new arrays, `<array>_copies`, are declared inside the region; their
// extents, and their subscripts where a loop's first value is not affine in the parameters, are right for
// `parameter_values` only. Statements keep their names; copies between old and new arrays are further
// statements after them, scheduled before and after everything else. KILLs keep naming the old array. The
// text of the region does not change. Several expansions at once are the same as one after the other.
//
// FAILED_PRECONDITION when an entry of `expansions` does not apply to the scop; INVALID_ARGUMENT without all
// parameter values; errors of IslContext::Run.
absl::StatusOr<v1::Scop> ExpandArrays(IslContext& context, const ParsedScop& scop,
                                      const Dependences& dependences,
                                      const std::vector<Expandable>& expansions,
                                      const std::map<std::string, int64_t>& parameter_values);

inline absl::StatusOr<v1::Scop> ExpandArray(IslContext& context, const ParsedScop& scop,
                                            const Dependences& dependences, const Expandable& expansion,
                                            const std::map<std::string, int64_t>& parameter_values) {
  return ExpandArrays(context, scop, dependences, {expansion}, parameter_values);
}

}  // namespace tune
