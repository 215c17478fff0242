#include "worker/codegen/size_classes.h"

#include <string>

namespace tune {
namespace {

// Sizes that are compared are multiples of it, as those of whole rows are.
constexpr int64_t kStep = 4;

// The least size between both, but for some, at which the decisions are these. `same`: one of which it is
// known, `other`: a smaller one at which they are others.
absl::StatusOr<int64_t> LeastWith(const std::string& decisions, const SymbolicPlans& plans, int64_t same,
                                  int64_t other) {
  while (same - other > kStep) {
    const int64_t middle = other + (same - other) / 2 / kStep * kStep;
    if (middle == other) break;
    TUNE_ASSIGN_OR_RETURN(const std::string found, plans.DecisionsAbout(middle));
    (found == decisions ? same : other) = middle;
  }
  return same;
}

}  // namespace

std::vector<SizeClass> ClassesOf(const SymbolicPlans& plans, const std::vector<int64_t>& typical,
                                 absl::Status* status) {
  std::vector<SizeClass> classes;
  std::string last;      // decisions
  int64_t smallest = 0;  // of the sizes of the last class
  for (const int64_t size : typical) {
    const absl::StatusOr<std::string> decisions = plans.DecisionsAbout(size);
    status->Update(decisions.status());
    if (!decisions.ok()) continue;
    if (!classes.empty() && *decisions != last) {
      const absl::StatusOr<int64_t> least = LeastWith(last, plans, smallest, size);
      classes.back().least = least.ok() ? *least : smallest;
    }
    if (classes.empty() || *decisions != last) classes.push_back({size, 0});
    last = *decisions;
    smallest = size;
  }
  return classes;
}

}  // namespace tune
