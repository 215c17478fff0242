// What samples of a program say of the loops in it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "client/profile/measured_text.h"

namespace tune {

// Where the program was when it had used some more processor time.
struct ProgramSample {
  double seconds = 0;               // of the processor, since the sample before it
  std::vector<uint64_t> addresses;  // in the program's file, the innermost first; empty: elsewhere
};

// Of what kProfileRuntime writes. A sample that was not written to its end is left out.
std::vector<ProgramSample> ParseSamples(absl::string_view bytes);

struct SourceLine {
  std::string file;
  int line;  // from 1
};

// Lines that an address belongs to: the innermost first, then those of calls that were inlined there.
using LinesOfAddresses = std::map<uint64_t, std::vector<SourceLine>>;

// Of what `addr2line --addresses --inlines` prints; lines that it does not know are left out.
LinesOfAddresses ParseAddressLines(absl::string_view text);

struct NestTimes {
  double total = 0;             // seconds of the processor
  double outside = 0;           // of these in none of the nests
  std::vector<double> seconds;  // in each nest and in what is called from it; as `nests`
};

// A sample counts for each nest that it is in, once, however deep the recursion; so nests in one another and
// nests in functions that are called from others have the time of the inner one both.
NestTimes AddUp(const std::vector<ProgramSample>& samples, const LinesOfAddresses& lines,
                const std::string& file, const std::vector<MeasuredNest>& nests);

}  // namespace tune
