// The loops of a file that can be regions without a pragma.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "client/extract/assumed_region.h"
#include "client/extract/diagnostic.h"
#include "client/extract/region_finder.h"
#include "tune/v1/scop.pb.h"

namespace tune {

// Neighbouring statements of a block with the loops in them.
struct FoundNest {
  // As if it were marked: `source` is of its whole lines, which hold nothing else. Named where it is
  // accepted, by its number among those of the function.
  FoundRegion region;
  bool marked = false;  // by pragmas, which `source` begins and ends with
  int depth = 0;        // loops in loops
  v1::Scop scop;        // when `refusals` is empty; region.file is left to the caller
  std::shared_ptr<const Assumption> assumption = nullptr;  // under which it is accepted
  std::vector<Refusal> refusals;
};

// Of the functions that have their body in the file, in textual order; of one, if `function` is not empty. A
// nest is the longest run of statements of a block, from loop to loop, that the front end takes as one
// region; else a loop alone. A refused loop is there, too, before what is found in it, unless all that is
// wrong with it is wrong with a loop around it. Marked regions are found as they are marked, and no nest
// reaches over their ends. `parse`: as for ReadAssumed.
std::vector<FoundNest> FindNests(const TranslationUnit& unit, const std::vector<FoundRegion>& marked,
                                 const std::string& function, const ParseText& parse);

// Names of the functions that have their body in the file, in textual order.
std::vector<std::string> NamesOfFunctions(const TranslationUnit& unit);

}  // namespace tune
