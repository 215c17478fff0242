// The statements of a region, in order, as statements of the scop and a schedule tree.
#pragma once

#include <optional>
#include <vector>

#include "client/extract/arrays/array_table.h"
#include "client/extract/region/region.h"
#include "client/extract/source/diagnostic.h"
#include "tune/v1/scop.pb.h"

namespace tune {

struct WalkedRegion {
  std::vector<v1::Statement> statements;  // S0, S1, ...
  std::optional<isl::schedule> schedule;  // the original order; nothing when no statement is ever reached
  std::vector<Refusal> refusals;          // one per construct at fault; then the rest is incomplete
  // Ends of the program, `assert` and the like, that the region is not for: where the last of them stands.
  clang::SourceRange end_of_program;
};

// Walks on behind a refused statement, so that a user sees all faults at once. What is accessed joins
// `arrays`.
WalkedRegion WalkRegion(Region& region, ArrayTable& arrays,
                        const std::vector<const clang::Stmt*>& statements);

}  // namespace tune
