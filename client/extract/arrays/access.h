// C lvalues as elements of arrays.
#pragma once

#include <map>
#include <vector>

#include "client/extract/integers/data_subscript.h"
#include "client/extract/region/region.h"
#include "client/extract/source/diagnostic.h"

namespace tune {

// array[subscripts]; a scalar has no subscripts. Each subscript is [params, iterators] -> { [v] }, zero in
// dimensions of `by_data`.
struct Element {
  const clang::VarDecl* array;
  std::vector<isl::pw_aff> subscripts;  // outermost first
  std::map<int, DataSubscript> by_data = {};
  const clang::Type* member = nullptr;  // canonical type of a member of a structure, which the element is
};

// Accepts a scalar variable, A[e]..[e], *p, *(p + e) and (p + e)[f] with affine e and f, and members, down to
// a value of arithmetic type. An array in one dimension whose rows are known (Region::rows) has a subscript
// for each dimension that it stands for. A member of a structure is an element of the array of members of its
// type: its last subscript is its place among elements of its type (Array.structure). Subscripts that are not
// affine are data's where the length of their dimension is known.
Accepted<Element> ReadElement(Region& region, const LoopNest& nest, const clang::Expr& lvalue);
// Where C accesses it: [params, iterators] -> { : }, within the nest's domain.
Accepted<Element> ReadElement(Region& region, const LoopNest& nest, const clang::Expr& lvalue,
                              const isl::set& reached);

// What the statement accesses: { S -> A }, all elements that it may be where data decide.
isl::map BindElement(const Region& region, const LoopNest& nest, const std::string& statement,
                     const std::string& array, const Element& element);

}  // namespace tune
