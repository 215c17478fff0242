// Subscripts that only the running program knows: idx[i] of b[idx[i]], and i * i of b[i * i].
#pragma once

#include "client/extract/region/region.h"
#include "client/extract/source/diagnostic.h"

namespace tune {

struct DataSubscript {
  const clang::Expr* expression;  // without side effects
  const LoopNest* scope;          // whose names it has
  isl::pw_aff extent;             // of the dimension: [params] -> { [n] }
  Refusal not_affine;             // why it is no subscript of the scop's
};

// What an expression reads that the running program alone knows.
struct DataReads {
  bool any = false;  // elements, and variables that the region sets or declares and that are no iterators
  bool elements = false;  // elements of arrays
};
DataReads FindDataReads(const RegionVariables& variables, const clang::Expr& expression);

}  // namespace tune
