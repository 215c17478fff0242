// Kernels that are products of matrices in the wide sense: C[i][j] += f(a[i][k], b[k][j]).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/program/product_terms.h"
#include "common/scop/scop.h"

namespace tune {

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
