// The loops of a file that can be regions without a pragma.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "client/extract/region/assumed_region.h"
#include "client/extract/region/region_finder.h"
#include "client/extract/source/diagnostic.h"
#include "client/extract/source/whole_lines.h"
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
  // From the first byte of its statements, or of pragmas right before them, to behind their `;`. Nothing
  // where no text can be put before them, because a macro makes them together with what is around them or
  // threads run what is around them.
  std::optional<WholeLines> place;
  bool in_block = false;  // a statement can be put before it; else it needs braces around both
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
