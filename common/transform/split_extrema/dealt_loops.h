// Iterations of a nest that are dealt out to parts like cards: neighbours to neighbours.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/scop/scop.h"

namespace tune {

// A loop: its values are first, first + stride, ..., `count` of them; value first + stride (parts q + b) is
// the q-th of part b.
struct DealtLoop {
  int64_t first = 0, stride = 1, count = 1, parts = 1;
  bool HasParts() const { return parts > 1; }       // then there is an iterator for b,
  bool HasRounds() const { return parts < count; }  // and then one for q
};

// The nest's loops, outermost first, and the numbers of its iterations: from 1 on, in their order.
class DealtLoops {
 public:
  // Without parts yet. `times`: { S[x] -> [t] } of the nest's loops, outermost first, at the `values` of the
  // parameters, of an S with as many iterators. Nothing where there is no iteration, their numbers do not fit
  // an int, or iterators do not follow from times. Throws isl::exception.
  static std::optional<DealtLoops> Of(const ParsedStatement& statement, const std::vector<isl::pw_aff>& times,
                                      const isl::set& values);

  std::vector<int64_t> Counts() const;
  // `parts`: of each loop.
  void Deal(const std::vector<int64_t>& parts);
  int64_t PartCount() const;

  // The functions below are of the instances S'[b0, b1, .., q0, q1, ..] of a statement `name`, whose
  // iterators are called as the names say that start with `part` and `round`.
  std::vector<std::string> Iterators(const std::string& part, const std::string& round) const;
  isl::multi_aff Origin(const std::string& name) const;                    // { S' -> S[x] }
  isl::set Instances(const ParsedStatement& statement) const;              // { S' }
  isl::map Part(const std::string& name, const std::string& array) const;  // { S' -> array[b] }
  isl::pw_aff Number(const std::string& name) const;                       // { S' -> [number] }

 private:
  DealtLoops(std::vector<DealtLoop> loops, const isl::multi_aff& iterators)
      : loops_(std::move(loops)), iterators_(iterators) {}
  // "S0[b0, q0]"
  std::string Tuple(const std::string& name) const;
  // The iteration of a loop from its first on: "32 q0 + b0".
  static std::string Iteration(const DealtLoop& loop, size_t number);

  std::vector<DealtLoop> loops_;
  isl::multi_aff iterators_;  // { [t] -> S[x] }
};

}  // namespace tune
