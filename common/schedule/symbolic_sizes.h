// Lets the scheduler see array sizes as unknowns.
#pragma once

#include <string>
#include <vector>

#include "common/isl/isl.h"

namespace tune {

// Where a size is a number, isl's scheduler finds schedules like 130 i + j, which carry two loops in one and
// make useless code, and it needs longer. This class replaces the large constants of sets and relations by
// new parameters, one for each group of close values (n, n - 1, n - 2), known only to be large. A schedule
// that is valid for all values of the parameters is valid for the real ones. All functions throw
// isl::exception.
class SymbolicSizes {
 public:
  // Collects the constants of `domain`, { S }, and `relations`, { S -> S }.
  SymbolicSizes(const isl::union_set& domain, const isl::union_map& relations);

  // Replaces nothing.
  explicit SymbolicSizes(isl::ctx ctx);

  bool IsEmpty() const { return sizes_.empty(); }

  // What is known of the new parameters, as a parameter set.
  isl::set context() const;

  // The same with constants replaced; pieces with existentially quantified variables stay as they are.
  isl::union_set Generalise(const isl::union_set& domain) const;
  isl::union_map Generalise(const isl::union_map& relations) const;

  // A schedule of generalised constraints with the real values put back, over the real `domain`. Knows the
  // nodes that CopySchedule knows.
  isl::schedule Instantiate(const isl::schedule& schedule, const isl::union_set& domain) const;

 private:
  struct Size {
    std::string name;
    long value;
  };

  const Size* Find(long constant) const;
  isl::basic_map Generalise(const isl::basic_map& map) const;
  isl::union_map Fix(isl::union_map map) const;

  isl::ctx ctx_;
  std::vector<Size> sizes_;  // ascending
  isl::set values_;          // the parameters at their real values
};

}  // namespace tune
