// --sizes: a study of a program for each of several sizes.
#pragma once

#include <functional>
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

// The specs of each size after those of the one before, their names followed by SizeText. What a name means
// is the first of these that fits:
//   - an argument of the program holds {NAME}: the value takes its place;
//   - a program without main has a parameter of this name, and no macro: its value, as with --param;
//   - else it is a macro of the program: -D NAME=VALUE.
// INVALID_ARGUMENT also where it is none of them, where the region shows that the macro keeps another value,
// or where the file is a stored extraction, whose macros are fixed. `read`: ReadProgram, but for tests.
using ReadFunction = std::function<absl::StatusOr<v1::Extraction>(const FrontEndRequest&)>;
absl::StatusOr<std::vector<v1::StudySpec>> MakeSizedSpecs(const FrontEndRequest& request,
                                                          const StudyWishes& wishes,
                                                          const std::vector<ProgramSize>& sizes,
                                                          const ReadFunction& read);

}  // namespace tune
