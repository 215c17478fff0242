// Statements that are products of matrices in the wide sense: C[i][j] += f(a[i][k], b[k][j]).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/scop/scop.h"

namespace tune {

// Which of the three loops of a product an expression depends on.
enum ProductUse : int { kUsesNone = 0, kUsesRow = 1, kUsesColumn = 2, kUsesSum = 4 };

// A product's value, split into the largest subexpressions that do not depend on both row and column: they
// can be computed once for all columns, or rows, and packed. Between them there are only + - * / and unary
// minus, so that several columns can be computed at once.
struct ProductTerms {
  bool subtracted = false;                // target -= value
  const v1::Expression* value = nullptr;  // what is added or subtracted
  // Each once, in the order of the value. What depends on neither row nor column is among the rows.
  std::vector<const v1::Expression*> rows, columns;
};

// Terms of each kind; more would not stay in registers.
inline constexpr size_t kMostProductTerms = 3;

// Splits `value`. `uses` says on which loops an access or affine value depends (a set of ProductUse), `name`
// is equal for expressions that are one term. Nothing when it is no product: other operations between terms,
// another C type than `c_type`, too many terms, no row or no column term that depends on the sum's loop.
std::optional<ProductTerms> SplitProduct(const v1::Expression& value, const std::string& c_type,
                                         const std::function<int(const v1::Expression&)>& uses,
                                         const std::function<std::string(const v1::Expression&)>& name);

// The members of a kernel's root band that are a product's loops.
struct KernelProduct {
  int row_member = 0, column_member = 0, sum_member = 0;
  int64_t rows = 0, columns = 0, sums = 0;  // largest numbers of iterations
  bool operator==(const KernelProduct&) const = default;
};

// The product that the statement alone in `band` is: target[..i..][j] += value, where the sum's bounds depend
// on neither row nor column, rows and columns are a convex set, and no term reads the target's array. Such
// members may be tiled with the sum ascending inside, and each element gets its addends in their order.
// `trip_counts`: of the band's members; `may_be_parallel`: those that are independent without private
// variables. Of several the one with the most iterations, then the innermost; nothing when there is none.
// Precondition: the band is permutable. Throws isl::exception.
std::optional<KernelProduct> FindProduct(const isl::schedule_node_band& band,
                                         const ParsedStatement& statement, const ParsedScop& scop,
                                         const isl::set& values, const std::vector<int64_t>& trip_counts,
                                         const std::vector<bool>& may_be_parallel);

}  // namespace tune
