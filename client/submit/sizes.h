// --sizes: a study of a program for each of several sizes.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "client/submit/front_end.h"
#include "client/submit/study_request.h"

namespace tune {

// One size: values of names, in the order given.
using ProgramSize = std::vector<std::pair<std::string, int64_t>>;

// Of "n=500,1000" and "m=700,800" the sizes (n=500, m=700) and (n=1000, m=800): lists go side by side, and
// one of a single value counts for all. INVALID_ARGUMENT: not NAME=INTEGER,..., a name or a size given twice,
// lists of different lengths.
absl::StatusOr<std::vector<ProgramSize>> ParseSizes(const std::vector<std::string>& texts);

// "n=500 m=700".
std::string SizeText(const ProgramSize& size);

// Whether the program runs with these sizes, or code is generated for them alone.
enum class SizesFor { kRuns, kCode };

// The program at one size.
struct SizedProgram {
  ProgramSize size;
  v1::Extraction extraction;
  std::map<std::string, int64_t> parameters;  // those of the region that have a value by this size
};

// Whether an argument of the program has the value of this name: {NAME}.
bool IsInArguments(const FrontEndRequest& request, const std::string& name);

using ReadFunction = std::function<absl::StatusOr<v1::Extraction>(const FrontEndRequest&)>;

// The program at each size. What a name means is the first of these that fits:
//   - a program that runs has an argument with {NAME}: the value takes its place;
//   - the region has a parameter of this name, no macro, and the program has no main, which would set it, or
//   does
//     not run: its value, as with --param;
//   - else it is a macro of the program: -D NAME=VALUE.
// INVALID_ARGUMENT also where it is none of them, where the region shows that the macro keeps another value,
// where the file is a stored extraction, whose macros are fixed, or where a name is one of `given`,
// parameters with a value. `read`: ReadProgram, but for tests.
absl::StatusOr<std::vector<SizedProgram>> ReadSizedPrograms(const FrontEndRequest& request,
                                                            const std::vector<ProgramSize>& sizes,
                                                            const std::set<std::string>& given, SizesFor what,
                                                            const ReadFunction& read);

// The specs of each size of a program that runs, after those of the one before, their names followed by
// SizeText.
absl::StatusOr<std::vector<v1::StudySpec>> MakeSizedSpecs(const FrontEndRequest& request,
                                                          const StudyWishes& wishes,
                                                          const std::vector<ProgramSize>& sizes,
                                                          const ReadFunction& read);

// The macros of a program that are names of `sizes`: "-DN=500 -DM=7" of its `defines`; empty where there are
// none.
std::string SizeMacros(const std::vector<std::string>& defines, const std::vector<ProgramSize>& sizes);

}  // namespace tune
