// Variables that iterations of a loop reuse, and of which each thread can have one of its own.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/dependence/dependence.h"
#include "common/kernel/kernel.h"
#include "common/transform/expansion/live_range.h"

namespace tune {

// Classical privatisation (Tu and Padua, LCPC 1993) on exact dataflow: a scalar, or a small array declared
// inside the region, is private to the iterations of a loop when every value that they read of it was made in
// the same iteration. Its false dependences do not order the loop then. The loop may leave one value behind,
// of a scalar, in its last iteration. Everything throws isl::exception.
class Privatisation {
 public:
  // All must outlive this object. `values`: the parameter set of ParameterValues, of all parameters.
  Privatisation(const ParsedScop& scop, const Dependences& dependences, const isl::set& values);

  // What must be private for the member's iterations to be independent of one another, wherever in its band
  // the member's loop stands and however the band is tiled; nullopt: then they still are not.
  std::optional<PrivateVariables> Find(const isl::schedule_node_band& band, int member) const;

  // The schedule with members coincident also where that needs private variables.
  isl::schedule WithCoincidence(const isl::schedule& schedule) const;

  // Completes the facts of the kernels' bands (KernelBand::privates).
  void Complete(ScheduledScop& scheduled) const;

 private:
  struct Variable {
    std::string name;
    bool scalar = true;
    isl::union_set accessing;  // { S }
    isl::union_set writing;    // { S }
    isl::union_map flow;       // { S -> S }
    isl::union_set live_in;    // { S }: that read values from before the region, or undefined ones
    isl::union_set live_out;   // { S }: last writers of what outlives the region
  };
  // A place in the schedule tree: the loops outside and one inside of them.
  struct Place {
    isl::union_set domain;  // { S }
    isl::union_map outer;   // { S -> P }
    isl::union_map member;  // { S -> [m] }
  };
  enum class Kind { kShared, kLocal, kLast };

  void AddVariable(const v1::Array& array);
  Kind KindOf(const Variable& variable, const Place& place) const;
  bool LeavesTheLast(const Variable& variable, const Place& place, const isl::union_set& sources) const;

  const ParsedScop& scop_;
  const Dependences& dependences_;
  const isl::set values_;
  std::vector<Variable> variables_;
};

}  // namespace tune
