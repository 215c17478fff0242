#include <cmath>
#include <cstddef>

namespace sums {
using real = float;
constexpr int kDepth = 8;

void product(const int &n, real (&c)[100][100], const real (&a)[100][kDepth], const real *__restrict b,
             const real &alpha, double &largest) {
#pragma scop
  for (auto i = 0; i != n; ++i) {
    const auto &row = a[i];
    auto &sum = c[i][i];
    for (std::size_t k = 0; k < kDepth; ++k) sum += alpha * row[k] * b[k];
    sum = std::sqrt(sum) + static_cast<real>(0.5);
    if (sum > largest) largest = sum;
  }
#pragma endscop
}
}  // namespace sums
