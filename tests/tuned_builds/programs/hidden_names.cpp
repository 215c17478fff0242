// build:
// build: -O2
// build: -DWIDE=16
// build: -DKIND=float
// build: -DBOTH
// build: -DSIZE=short
// parameters: n=12,tune_c_rows=12,tune_c_cols=12,tune_a_cols=12,tune_b_cols=12,tune_to_n=12,tune_from_n=12
#include <cstddef>
#include <vector>

#include "checksum.h"
#ifndef WIDE
#define WIDE 14
#endif
#ifndef KIND
#define KIND double
#endif
#ifndef SIZE
#define SIZE int
#endif
// Private types and constants of a template's instances.
template <class T>
class Matrix {
  using value_type = T;
  typedef SIZE size_type;
  enum { kPad = WIDE - 12 };
  size_type rows_, cols_;
  std::vector<T> data_;

 public:
  Matrix(int rows, int cols) : rows_(rows), cols_(cols), data_(rows * (cols + kPad)) {}
  value_type &operator()(size_type i, int j) { return data_[i * (cols_ + kPad) + j]; }
  const value_type &operator()(size_type i, int j) const { return data_[i * (cols_ + kPad) + j]; }
  size_type rows() const { return rows_; }
  size_type cols() const { return cols_; }
  void fill() {
    for (std::size_t i = 0; i < data_.size(); ++i) data_[i] = static_cast<T>(i % 5) / 4 - 1;
  }
  void print() { PRINT(data_, data_.size()); }
};
template <class T>
void multiply(Matrix<T> &c, const Matrix<T> &a, const Matrix<T> &b) {
#pragma scop
  for (int i = 0; i < c.rows(); ++i)
    for (int j = 0; j < c.cols(); ++j) {
      T sum = 0;
      for (int k = 0; k < a.cols(); ++k) sum += a(i, k) * b(k, j);
      c(i, j) = sum;
    }
#pragma endscop
}
// The same of a class, with elements by numbers of columns that are constants.
class Table {
  using value_type = KIND;
  static constexpr unsigned char kWide = WIDE;
  value_type cells_[WIDE * 12];

 public:
  enum { kHigh = 12 };
  value_type &at(int i, int j) { return cells_[i * kWide + j]; }
  double half(int i, int j) const { return static_cast<value_type>(cells_[i * kWide + j] / 3); }
  void print() { PRINT(cells_, WIDE * 12); }
};
static Table table, other;
void halve(int n) {
  Table &to = other;
  const Table &from = table;
#pragma scop
  for (int i = 0; i < Table::kHigh; ++i)
    for (int j = 0; j < n; ++j) to.at(i, j) = from.half(j, i) + to.at(i, j);
#pragma endscop
}
// Functions that set an element.
class Grid {
  int n_;
  std::vector<float> cells_;

 public:
  explicit Grid(int n) : n_(n), cells_(n * n) {}
  int n() const { return n_; }
  float get(int i, int j) const { return cells_[i * n_ + j]; }
  void set(int i, int j, KIND v) { cells_[i * n_ + j] = v; }
  void add(int i, int j, float v) { cells_[i * n_ + j] += v; }
  void print() { PRINT(cells_, cells_.size()); }
};
void step(Grid &to, const Grid &from) {
#pragma scop
  for (int i = 1; i < from.n() - 1; ++i)
    for (int j = 1; j < from.n() - 1; ++j) {
      to.set(i, j, from.get(i - 1, j) / 3 + to.n());
      if (i > j) to.add(i, j, from.get(i, j + 1) * 0.3);
    }
#pragma endscop
}
template <class T>
void run(int n) {
  Matrix<T> a(n, n), b(n, n), c(n, n);
  a.fill();
  b.fill();
  multiply(c, a, b);
  c.print();
  multiply(a, a, b);
  a.print();
}
int main() {
  for (int n : {12, 12, 5, 1, 0}) {
    run<double>(n);
#ifdef BOTH
    run<float>(n);
#endif
    for (int i = 0; i < 12; ++i)
      for (int j = 0; j < 12; ++j) table.at(i, j) = i * 7 % 5 - j % 3;
    halve(n);
    other.print();
    Grid from(n), to(n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) from.set(i, j, i * 7 % 5 - j % 3);
    step(to, from);
    to.print();
    step(from, from);
    from.print();
  }
}
