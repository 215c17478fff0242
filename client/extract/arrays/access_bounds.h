// How far the accesses of a scop reach, as C text.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "common/base/status.h"
#include "tune/v1/scop.pb.h"

namespace tune {

// Expressions of the scop's parameters, in the spelling that isl has: see InLongs.
struct AccessBounds {
  // When the others hold: the scop's context, without what it says of the parameters left out, and that no
  // subscript of the arrays is negative, nor the first one of any array that is written, and that the arrays
  // are reached from their first rows on: from one whose number is known, or from row 1 at the latest.
  std::string condition;
  // For each array: of each of its dimensions, one more than the largest subscript; 0 where there is none.
  std::map<std::string, std::vector<std::string>> ends;
  // Of all arrays whose first extent C does not tell.
  std::map<std::string, std::string> first_extents;
};

// Of two-dimensional arrays with these names. `reached`: AssembledScop::reached; `unknown`: parameters that
// no text may have. FAILED_PRECONDITION where a subscript has no bound without them.
absl::StatusOr<AccessBounds> FindAccessBounds(const v1::Scop& scop,
                                              const std::map<std::string, std::string>& reached,
                                              const std::vector<std::string>& arrays,
                                              const std::vector<std::string>& unknown);

// When each statement has instances, as far as the other parameters tell, in the same spelling: an expression
// that has none of `unknown`.
absl::StatusOr<std::string> FindExecution(const v1::Scop& scop, const std::vector<std::string>& unknown);

// The text with parameters as values of type long, by the names that `names` has for some of them, and with
// the macros of kBoundMacros.
std::string InLongs(absl::string_view text, const v1::Scop& scop,
                    const std::map<std::string, std::string>& names);

// Directives that texts of InLongs may need, and those that take them back.
extern const char kBoundMacros[], kEndOfBoundMacros[];
bool NeedsBoundMacros(absl::string_view text);

}  // namespace tune
