// C lvalues as elements of arrays.
#pragma once

#include <vector>

#include "client/extract/diagnostic.h"
#include "client/extract/region.h"

namespace tune {

// array[subscripts]; a scalar has no subscripts. Each subscript is [params, iterators] -> { [v] }.
struct Element {
  const clang::VarDecl* array;
  std::vector<isl::pw_aff> subscripts;  // outermost first
};

// Accepts a scalar variable, A[e]..[e], *p, *(p + e) and (p + e)[f] with affine e and f, down to a value of
// arithmetic type. An array in one dimension whose rows are known (Region::rows) has a subscript for each
// dimension that it stands for.
Accepted<Element> ReadElement(Region& region, const LoopNest& nest, const clang::Expr& lvalue);
// Where C accesses it: [params, iterators] -> { : }, within the nest's domain.
Accepted<Element> ReadElement(Region& region, const LoopNest& nest, const clang::Expr& lvalue,
                              const isl::set& reached);

}  // namespace tune
