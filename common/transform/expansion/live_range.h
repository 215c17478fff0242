// The independent uses of an array.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "common/dependence/dependence.h"

namespace tune {

// References of one array between which values flow: writes and the reads they feed, closed transitively. No
// value goes from one live range of an array to another, so each can have memory of its own. Static: one
// reference belongs to one live range for all of its instances.
struct LiveRange {
  std::vector<std::pair<int, int>> references;  // (statement, access), ascending
  isl::union_set instances;                     // { S }
  isl::union_map accesses;                      // { S -> A }
  isl::union_map reads;                         // { S -> A }; updates count as reads
  isl::union_map writes;                        // { S -> A }; updates count as writes
  isl::union_map flow;                          // { S -> S }, through this array
  isl::union_map live_in;                       // { S -> A }: reads of values from before the region
  isl::union_map live_out;                      // { S -> A }: last writes of elements that outlive it
  bool undefined = false;                       // some read sees an element that nothing has written
};

// Of `array`, in order of their first references; KILL statements take no part. Throws isl::exception.
std::vector<LiveRange> LiveRanges(const ParsedScop& scop, const Dependences& dependences,
                                  const std::string& array);

// { S -> S }: false dependences, were `ranges` alone in their array: each access to the next write of its
// element. Later writes follow by transitivity. Throws isl::exception.
isl::union_map NextWrites(const isl::schedule& schedule, const std::vector<const LiveRange*>& ranges);

}  // namespace tune
