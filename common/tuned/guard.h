// When a tuned region may run in place of the original one.
#pragma once

#include <map>
#include <string>

#include "common/base/status.h"
#include "tune/v1/evaluation.pb.h"
#include "tune/v1/scop.pb.h"

namespace tune {

// C text that stands before the region, in its function.
struct Guard {
  std::string definitions;  // directives before the condition; empty, or lines
  std::string condition;    // an expression without side effects
  std::string end;          // directives after the region, that take the definitions back
};

// The condition holds where everything that code for this scop relies on is as it was when it was made:
//   - parameters have the reference's values;
//   - macros, names tested by directives, names of types, and constants mean what the scop says (meanings);
//   - elements have the scop's types;
//   - arrays that may overlap (Array.overlap), of which one is written, do not, from the first to the last of
//     the reference's rows: those that merely interleave count as overlapping; nor do such arrays of
//     integers and the variables of parameters;
//   - with `rows`, for code that works on copies of arrays, rows are as long as the reference says, and
//     nothing is between those that pointers lead to (common/scop/row_distance.h).
// All but parameters, overlap and rows of variable length is decided by the compiler. A scop without any of
// these gets `1`, so that the original stays as an unused branch, and nothing that the user declared for it
// becomes unused. Understood by gcc and clang in every mode from -std=c99 on, and in C++ where
// the scop's file is in that.
// Guards whose definitions stand side by side have different `number`s.
// INVALID_ARGUMENT when a parameter has no value, or an array no extents.
absl::StatusOr<Guard> MakeGuard(const v1::Scop& scop, const v1::Reference& reference, bool rows,
                                int number = 0);

// What code relies on that is told its sizes in each call.
struct SizeArguments {
  std::string requirement;  // C expression of the scop's parameters
  // Of arrays whose first extent C does not tell: C expression of the parameters.
  std::map<std::string, std::string> first_extents;

  // C expression of the number of elements along the array's first dimension.
  std::string FirstExtent(const v1::Array& array) const;
};

// The same for such code: in place of the parameters' values the requirement is asked for, and of rows only
// that nothing is between those that pointers lead to.
Guard MakeGuard(const v1::Scop& scop, const SizeArguments& sizes, int number = 0);

// Whether both stand at the same place of a file.
bool SamePlace(const v1::Scop& scop, const v1::Scop& other);

// True when they are of the same place and their guards hold in the same builds and calls, whatever their
// code works on.
absl::StatusOr<bool> SameRegionAndSize(const v1::Scop& scop, const v1::Reference& reference,
                                       const v1::Scop& other_scop, const v1::Reference& other_reference);

}  // namespace tune
