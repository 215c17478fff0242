// Distances along an array in one dimension that stands for several: i * n + j.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "client/extract/region/region.h"
#include "client/extract/source/diagnostic.h"

namespace tune {

// A sum of products: affine coefficients, each times some strides. An affine distance is one coefficient
// without strides.
class FlatOffset {
 public:
  explicit FlatOffset(isl::pw_aff affine) { terms_.emplace(StrideList(), std::move(affine)); }

  FlatOffset Plus(const FlatOffset& other) const;
  FlatOffset Minus(const FlatOffset& other) const;
  // Nothing where both have coefficients that iterators or data decide. That a quotient which is the length
  // of a row is positive joins the region's context.
  std::optional<FlatOffset> Times(Region& region, const LoopNest& nest, const FlatOffset& other) const;

  // Nothing where there are products.
  std::optional<isl::pw_aff> Affine() const;
  // How many terms have strides.
  size_t StrideCount() const;
  // Puts those of the offset into `all`.
  void AddStrides(StrideUnits* all) const;
  // The same with the product, scale * factors, in the place of the parameter: as strides, and where it is
  // added. Nothing where the offset has no such parameter, or pieces or quotients with it.
  std::optional<FlatOffset> Factored(const isl::space& parameters, const isl::id& parameter, int64_t scale,
                                     const std::vector<isl::id>& factors) const;
  // The same with what is obviously a multiple of a row of constant length as one of its stride.
  FlatOffset InRows(const RowLength& row) const;
  // Of the term with these strides; nothing where there is none.
  std::optional<isl::pw_aff> Coefficient(const StrideList& strides) const;

 private:
  void Add(const StrideList& strides, const isl::pw_aff& coefficient);

  std::map<StrideList, isl::pw_aff> terms_;
};

// Refused, with the reason of ReadAffine, where it is no such sum.
Accepted<FlatOffset> ReadFlatOffset(Region& region, const LoopNest& nest, const clang::Expr& expression);

// A row of that many elements, an expression of the parameters; nothing where it is none in one piece. That a
// quotient is positive joins the region's context.
std::optional<RowLength> RowOfLength(Region& region, const LoopNest& nest, const isl::pw_aff& length);

// The lengths of rows, outermost first, that explain all these strides; nothing where there are no such. Rows
// are as long as can be: those of (i * n + j) * 3 + k have 3 * n elements, so that the subscript in the row
// is 3 * j + k.
std::optional<RowList> RowsOf(const StrideUnits& strides);

// The subscripts of the offset in an array whose rows have these lengths, outermost first. A bound on the
// parameters that keeps all of them but the first inside of their rows, where they are reached, joins the
// region's context; without one, refused.
Accepted<std::vector<isl::pw_aff>> FlatSubscripts(Region& region, const LoopNest& nest,
                                                  const isl::set& reached, const FlatOffset& offset,
                                                  const RowList& rows, clang::SourceRange use);

// C text of the length of a row, an expression of the parameters.
std::string RowText(const Region& region, const RowLength& length);

}  // namespace tune
