// build:
// build: -O2 -std=c++20
// build: -DREAL=double
// build: -D_GLIBCXX_ASSERTIONS
// parameters: n=12,tune_a_size=12,tune_a_size_1=9,tune_tune_this_cells_size=12,tune_tune_this_cells_size_1=9,tune_from_cols=12,tune_to_cols=12,tune_tune_to_cells_size_1=9
#include <cstddef>
#include <memory>
#include <vector>

#include "checksum.h"
#ifndef REAL
#define REAL float
#endif
extern "C" const char *__asan_default_options() { return "detect_leaks=0"; }
using real = REAL;
using Rows = std::vector<std::vector<real>>;
void blend(Rows &a, const Rows &b) {
#pragma scop
  for (std::size_t i = 1; i + 1 < a.size(); i++) {
    auto &row = a[i];
    const std::vector<real> &above = b[i - 1];
    for (std::size_t j = 0; j < row.size(); j++) row[j] = 0.5f * (row[j] + above[j]);
  }
#pragma endscop
}
real halve(Rows &a) {
  real sum = 0, tune_at_y = 3;  // a name such as those of tuned code
#pragma scop
  for (auto &row : a)
    for (auto &x : row) x *= 0.5f;
  for (const auto &row : a) {
    for (real x : row) sum += x;
    for (auto y : row) sum += y * tune_at_y;
  }
#pragma endscop
  return sum;
}
class Grid {
 public:
  Grid(int rows, int cols) : cells_(rows, std::vector<real>(cols)) {
    for (int i = 0; i < rows; i++) FILL(cells_[i].data(), cols);
  }
  real &operator()(int i, int j) { return cells_[i][j]; }
  real at(int i, int j) const { return cells_[i][j]; }
  int rows() const { return cells_.size(); }
  int cols() const { return cells_[0].size(); }
  void scale(real by) {
#pragma scop
    for (std::size_t i = 0; i < cells_.size(); i++)
      for (std::size_t j = 0; j < cells_[i].size(); j++) cells_[i][j] *= by;
#pragma endscop
  }
  Rows &cells() { return cells_; }

 private:
  Rows cells_;
};
void add(Grid &to, const Grid &from, int n) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < to.cols(); j++) to(i, j) += from.at(i, j);
#pragma endscop
}
class Plane {
 public:
  Plane(int rows, int cols) : cols_(cols), data_(new real[rows * cols]) { FILL(data_.get(), rows * cols); }
  real &operator()(int i, int j) { return data_[i * cols_ + j]; }
  real operator()(int i, int j) const { return data_[i * cols_ + j]; }
  const real *begin() const { return data_.get(); }

 private:
  int cols_;
  std::unique_ptr<real[]> data_;
};
void transpose(Plane &to, const Plane &from, int n) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) to(i, j) = from(j, i) + to(i, j);
#pragma endscop
}
void shift(std::unique_ptr<real[]> &y, const std::unique_ptr<const real[]> &x, std::shared_ptr<int[]> counts,
           int n) {
#pragma scop
  for (int i = 0; i < n; i++) {
    y[i] = x.get()[i + 1];
    counts[i]++;
  }
#pragma endscop
}
void print(const Rows &rows) {
  for (const auto &row : rows) PRINT(row.data(), static_cast<int>(row.size()));
}
int main() {
  Rows a(12, std::vector<real>(9)), b = a;
  for (int i = 0; i < 12; i++) {
    FILL(a[i].data(), 9);
    FILL(b[i].data() + 1, 8);
  }
  blend(a, b);
  blend(a, a);
  print(a);
  printf("%.9e\n", static_cast<double>(halve(a)));
  a[3].pop_back();
  blend(a, b);
  printf("%.9e\n", static_cast<double>(halve(a)));
  print(a);
  Grid grid(12, 9), other(12, 9);
  grid.scale(3);
  add(grid, other, 12);
  add(grid, grid, 11);
  other.cells()[2].resize(4);
  other.scale(2);
  print(grid.cells());
  print(other.cells());
  Plane plane(12, 12), turned(12, 12);
  transpose(turned, plane, 12);
  transpose(plane, plane, 12);
  PRINT(turned.begin(), 144);
  PRINT(plane.begin(), 144);
  std::unique_ptr<real[]> y(new real[20]), filled(new real[21]);
  FILL(filled.get(), 21);
  FILL(y.get(), 20);
  std::unique_ptr<const real[]> x(filled.release());
  std::shared_ptr<int[]> counts(new int[20]());
  shift(y, x, counts, 20);
  shift(y, x, counts, 12);
  PRINT(y.get(), 20);
  PRINT(counts.get(), 20);
}
