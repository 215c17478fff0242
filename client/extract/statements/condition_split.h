// Where the branches of an `if` are reached: iterations that are known, and guards that data decide.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "client/extract/region/region.h"
#include "client/extract/source/diagnostic.h"
#include "client/extract/tree/body_end.h"

namespace tune {

// A condition whose value is to be kept, before the branches, in the region's own int for this `if`.
struct KeptCondition {
  Guard guard;
  LoopNest nest;  // where it is evaluated
};

// Each branch is reached in places that have no iteration in common.
struct ConditionSplit {
  std::vector<LoopNest> then, otherwise;
  std::optional<KeptCondition> kept;
};

// `guarded`: all that stands under the condition or its opposite. What data decide is a guard; the parts of
// the condition that are affine say for which iterations they do. `statement` is a name for what reads the
// condition.
Accepted<ConditionSplit> SplitCondition(Region& region, const LoopNest& nest, const clang::IfStmt& choice,
                                        const Statements& guarded, const std::string& statement);

// Whether no part of the condition is affine, so that C evaluates all of its first part everywhere.
bool IsData(Region& region, const LoopNest& nest, const clang::Expr& condition);

// Whether some iteration gets here.
bool IsReached(const Region& region, const LoopNest& nest);

}  // namespace tune
