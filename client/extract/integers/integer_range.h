// Integers of C's types, of which some are computed modulo a power of two: where they are the whole numbers
// of an affine expression.
#pragma once

#include <clang/AST/Type.h>

#include "client/extract/region/region.h"
#include "client/extract/source/diagnostic.h"

namespace tune {

// `value`, [params, iterators] -> { [v] }, of an expression of unsigned type, as it is where it is never
// negative on nest.domain; else refused. `bounds`: where that hangs on parameters alone, the region's context
// excludes the rest instead.
Accepted<isl::pw_aff> NotBelowZero(Region& region, const LoopNest& nest, const clang::Expr& expression,
                                   const isl::pw_aff& value, bool bounds);

// `value` of an expression that becomes one of `type`, which keeps numbers in its range alone; negative ones
// of an unsigned type should be none (NotBelowZero). The context excludes the rest where that leaves
// programs of all usual sizes: what else wraps around is meant to, as in i * 2654435761u. Nothing is asked
// where the nest is endless.
Accepted<isl::pw_aff> ConvertedTo(Region& region, const LoopNest& nest, clang::QualType type,
                                  const clang::Expr& expression, const isl::pw_aff& value);

// Excludes from the context, if that leaves something, products of parameters that are another number in an
// unsigned int; what is wider has no value that large.
void KeepBelowWrapping(Region& region, const clang::Expr& expression, const isl::pw_aff& value);

// Whether the iterator of a loop, of this type, can have the value at which the loop ends, `behind`, [params,
// outer iterators] -> { [v] }; the context excludes sizes at which it cannot, unless nothing is left. Then
// the iterator wraps around, and goes on. One that would overflow does not in a valid program.
bool EndsInType(Region& region, const LoopNest& outer, clang::QualType type, const isl::pw_aff& behind);

}  // namespace tune
