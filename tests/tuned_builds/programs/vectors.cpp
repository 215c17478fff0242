// build:
// build: -O2 -std=c++20
// build: -DREAL=double
// build: -D_GLIBCXX_ASSERTIONS
// parameters: tune_x_size=60,n=12,m=9,tune_this_cols=7,tune_this_rows=8,tune_table_cols=5,tune_table_rows=6
#include <cstddef>
#include <vector>

#include "checksum.h"
#ifndef REAL
#define REAL float
#endif
extern "C" const char *__asan_default_options() { return "detect_leaks=0"; }
using real = REAL;
namespace space {
std::vector<unsigned char> bytes(64);
}
void add(std::vector<real> &y, const std::vector<real> &x, real a) {
#pragma scop
  for (std::size_t i = 0; i < x.size(); i++) y[i] = a * x[i] + y[i];
#pragma endscop
}
void shift(std::vector<unsigned char> &to, int n) {
#pragma scop
  for (int i = 0; i < n; i++) to[i] = space::bytes[i + 1] + 3;
#pragma endscop
}
std::vector<double> product(const std::vector<double> a, std::vector<double> b, int n, int m) {
  std::vector<double> c(n * n, 1.0);
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < m; k++) c[i * n + j] += a[i * m + k] * b.data()[k * n + j];
#pragma endscop
  return c;
}
class Matrix {
 public:
  Matrix(int rows, int cols) : rows_(rows), cols_(cols), data_(rows * cols) {
    FILL(data_.data(), rows * cols);
  }
  void scale(const std::vector<real> &by) {
#pragma scop
    for (int i = 0; i < rows_; i++)
      for (int j = 0; j < cols_; j++) this->data_[i * cols_ + j] *= by[j] + gain_;
#pragma endscop
  }
  std::vector<real> &data() { return data_; }

 private:
  int rows_, cols_;
  std::vector<real> data_;
  real gain_ = 0.5;
};
template <typename T>
struct Table {
  int rows, cols;
  std::vector<T> data;
};
template <typename T>
void sums(std::vector<T> &to, const Table<T> &table) {
#pragma scop
  for (int i = 0; i < table.rows; i++)
    for (int j = 0; j < table.cols; j++) to[i] += table.data[i * table.cols + j];
#pragma endscop
}
template void sums<double>(std::vector<double> &, const Table<double> &);
int main() {
  std::vector<real> x(60), y(60), none;
  FILL(x.data(), 60);
  FILL(y.data(), 60);
  add(y, x, 0.5);
  add(x, x, 0.25);
  add(none, none, 2);
  x.resize(59);
  add(y, x, 2);
  PRINT(x.data(), 59);
  PRINT(y.data(), 60);
  for (int i = 0; i < 64; i++) space::bytes[i] = i * 5;
  std::vector<unsigned char> other(64);
  shift(other, 12);
  shift(space::bytes, 12);
  shift(other, 30);
  PRINT(other.data(), 64);
  PRINT(space::bytes.data(), 64);
  std::vector<double> a(108), b(108);
  FILL(a.data(), 108);
  FILL(b.data(), 108);
  for (int n : {12, 9, 1, 0}) {
    const std::vector<double> c = product(a, b, n, 9);
    PRINT(c.data(), n * n);
  }
  Matrix matrix(8, 7), small(3, 2);
  matrix.scale(x);
  matrix.scale(matrix.data());
  small.scale(x);
  PRINT(matrix.data().data(), 56);
  PRINT(small.data().data(), 6);
  Table<double> table = {6, 5, a};
  sums(b, table);
  sums(table.data, table);
  PRINT(b.data(), 108);
  PRINT(table.data.data(), 108);
}
