// build:
// build: -O2
// build: -DBIAS=2
// parameters: n=18
#include <cstddef>
#include <vector>

#include "checksum.h"
#ifndef BIAS
#define BIAS 1
#endif
static inline void add_product(double &to, const double &x, double y) {
  to += x * y;
  to += x;
}
static inline double twice(const double &value) { return value + value; }
class Grid {
 public:
  static constexpr int kBias = BIAS;
  explicit Grid(int n) : n_(n), cells_(static_cast<std::size_t>(n) * n), sums_(n) {
    for (int i = 0; i < n * n; ++i) cells_[i] = i % 17 - 4;
  }
  void smooth(double weight) {
    const int n = n_;
    double *cells = cells_.data();
    double *const sums = sums_.data();
#pragma scop
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) {
        double &sum = sums[i];
        add_product(sum, cells[i * n + j], weight);
        sum += twice(cells[(i - 1) * n + j + 1]) + kBias;
      }
#pragma endscop
  }
  static void shift(int n, double *values, int by = kBias) {
#pragma scop
    for (int i = 0; i < n; i++) values[i] += by + Grid::kBias;
#pragma endscop
  }
  void print() {
    PRINT(sums_, n_);
    PRINT(cells_, n_ * n_);
  }
  double *sums() { return sums_.data(); }

 private:
  const int n_;
  std::vector<double> cells_, sums_;
};
int main() {
  for (int n : {18, 18, 11}) {
    Grid grid(n);
    grid.smooth(0.5);
    Grid::shift(n, grid.sums());
    grid.smooth(0.25);
    grid.print();
  }
}
