// build:
// build: -O2 -std=c++20
// build: -DREAL=double
// build: -DDEPTH=7
// parameters: n=20
#include <cstddef>
#include <initializer_list>

#include "checksum.h"
#ifndef REAL
#define REAL float
#endif
#ifndef DEPTH
#define DEPTH 6
#endif
namespace sums {
using real = REAL;
constexpr int kRows = 24, kDepth = DEPTH;
static real c[kRows][kRows], a[kRows][kDepth], b[kDepth][kRows];
static bool odd[kRows];
namespace {
double total;
}
template <int n>
using Line = real[n];
void product(const int &n, real (&c)[kRows][kRows], const real (&a)[kRows][kDepth], const Line<kRows> *b,
             const real &alpha, double &largest) {
  const auto beta = static_cast<real>(0.5);
#pragma scop
  for (auto i = 0; i < n; ++i) {
    const auto &row = a[i];
    for (int j{0}; j != n; ++j) {
      auto &sum = c[i][j];
      sum *= beta;
      for (std::size_t k = 0; k < kDepth; ++k) sum += alpha * row[k] * b[k][j];
      if (odd[j] && i % 2 == 0) sum -= real(1'0) / 7;
    }
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      const double &value = c[i][j] * 2.0;
      if (value > largest) largest = value;
      total += value;
    }
#pragma endscop
}
}  // namespace sums
int main() {
  using namespace sums;
  FILL(&c[0][0], kRows * kRows);
  FILL(&a[0][0], kRows * kDepth);
  FILL(&b[0][0], kDepth * kRows);
  for (int i = 0; i < kRows; i++) odd[i] = i % 3 == 1;
  double largest = 0;
  for (int n : {20, 19, 20, 1, 0}) {
    product(n, c, a, b, 0.25f, largest);
    PRINT(&c[0][0], kRows * kRows);
  }
  printf("%.6e %.6e\n", largest, total);
}
