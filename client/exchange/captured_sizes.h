// From what applications captured to sizes that a program's regions are tuned for.
#pragma once

#include <string>
#include <vector>

#include "client/exchange/application_captures.h"
#include "client/submit/front_end.h"
#include "client/submit/sizes.h"
#include "tune/v1/extraction.pb.h"

namespace tune {

struct CapturedSize {
  int region = 0;          // of the file, from 1
  ProgramSize size;        // parameters of the region that a study is told; empty: it has none
  std::vector<int> lines;  // of the capture file, at least one
};

struct CapturedSizes {
  std::vector<CapturedSize> sizes;    // each once: those of most lines first, else as they were met
  std::vector<std::string> messages;  // for people: which lines are of no size, and what to do
};

// The sizes of the regions that `request` was read as. Lines are of a region by its OnlineIdentity. A program
// without main is told all parameters that are no products, one with main those that its arguments have as
// {NAME}, and sets the others itself, as a message says; where it sets all, its lines are left out. `region`:
// from 1, whose lines alone are taken; 0: of all.
CapturedSizes MatchCaptures(const ApplicationCaptures& captures, const v1::Extraction& extraction,
                            const FrontEndRequest& request, int region);

// "line 3", "lines 3 and 5", "lines 3, 5, 8 and 40 others".
std::string LinesText(const std::vector<int>& lines);

}  // namespace tune
