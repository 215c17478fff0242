// C expressions as quasi-affine expressions and conditions of iterators and parameters.
#pragma once

#include <optional>

#include "client/extract/region/region.h"
#include "client/extract/source/diagnostic.h"

namespace tune {

// Where an expression stands decides what becomes of unsigned arithmetic that might wrap around.
enum class Position {
  kBound,      // loop bound or condition: a bound on the parameters that excludes wrapping joins the region's
               // context; without one, refused
  kSubscript,  // a wrapped subscript is out of bounds, so it does not happen
  kValue,      // refused: the value is then computed by C's own operators
};

// The value as [params, iterators] -> { [v] }, on `nest.domain` equal to what C computes; signed arithmetic
// does not overflow in a valid program. Accepts + - *constant /constant %constant, some / and % by parameters
// (near_quotient.h), & | ^ with constants, << >> ~, casts to _Bool and to integers of at least int's width,
// ?: with an affine condition, functions in sight and IntegerFunctions.
Accepted<isl::pw_aff> ReadAffine(Region& region, const LoopNest& nest, const clang::Expr& expression,
                                 Position position);

// The value of an expression that is the same constant everywhere; nothing for others.
std::optional<isl::val> ConstantOf(const isl::pw_aff& value);

// When the condition holds, as [params, iterators] -> { : }; says nothing outside of `nest.domain`. Accepts
// comparisons of affine expressions, && || ! and affine expressions (not zero).
Accepted<isl::set> ReadCondition(Region& region, const LoopNest& nest, const clang::Expr& condition,
                                 Position position = Position::kBound);

}  // namespace tune
