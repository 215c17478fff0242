// Loops whose iterations stand one behind the other, in bodies that compute a value.
#pragma once

#include <optional>

#include "client/extract/region/region.h"
#include "client/extract/tree/body_end.h"

namespace clang {
class ForStmt;
}

namespace tune {

struct UnrolledLoop {
  // The body as often as it is executed, each time behind an assignment of what the iterator is then, and
  // what it is when the loop has ended.
  Statements statements;
  int rounds = 0;
};

// A loop where `scope` is. Nothing where the number of its iterations is not one that is known, or more than
// `most`, and where the body sets what the header reads.
std::optional<UnrolledLoop> Unroll(Region& region, const LoopNest& scope, const clang::ForStmt& loop,
                                   int most);

}  // namespace tune
