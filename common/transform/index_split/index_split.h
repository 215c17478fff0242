// Index-set splitting: statements whose instances write elements that other instances of the same iteration
// of an outer loop read before and after, as in the Floyd-Warshall algorithm, are replaced by several with
// the same body on parts of the domain. What depends on each other is then of different statements, which
// loop distribution (Allen and Kennedy, TOPLAS 1987) separates, and the inner loops of each are parallel.
// After Griebl, Feautrier and Lengauer, Index Set Splitting (IJPP 2000), who split where sources and sinks of
// dependences end; here at the hyperplanes where two references of one instance name the same element.
//
// The rule. The cuts of a statement are the hyperplanes of its domain on which two of its references to one
// array, which some statement writes, name the same element. For path[i][j], path[i][k], path[k][j] these are
// j = k and i = k: the column and the row that iteration k reads everywhere and writes. Each cut makes three
// parts, before, on and after it. A statement is split when, inside some number of its outermost loops,
//  - it is in a cycle of dependences of the same iteration of these loops, and each loop that the cycle's
//    statements share further in carries some of them, so none is parallel; the same with fewer loops; and
//  - none of its pieces is in such a cycle.
// Cuts without which that holds inside as few loops are left out.
#pragma once

#include <optional>

#include "common/dependence/dependence.h"

namespace tune {

// Pieces of all split statements together: more are not worth their launches.
inline constexpr int kMostPieces = 27;

// A scop of the same instances in the same order, with the same arrays. The first piece of a statement keeps
// its name; others are further statements after the scop's own. Pieces keep line, iterators, accesses and
// body. nullopt: nothing is to be split by the rule, or it would be into too many pieces. Errors: those of
// IslContext::Run.
absl::StatusOr<std::optional<v1::Scop>> SplitIndexSets(IslContext& context, const ParsedScop& scop,
                                                       const Dependences& dependences);

}  // namespace tune
