// build:
// build: -O2
// build: -DCOLUMNS
// build: -DPADDED=1
// build: -DREAL=float
// build: -DWIDE
// parameters: tune_c_rows=12,tune_c_cols=12,tune_a_cols=12,tune_b_cols=12,tune_to_size=12,tune_from_size=12,tune_this_n=12,tune_to_w=12,tune_from_w=12,tune_from_h=12
#include <array>
#include <cstddef>
#include <vector>

#include "checksum.h"
#ifndef PADDED
#define PADDED 0
#endif
#ifndef REAL
#define REAL double
#endif
typedef REAL real;
// Members that regions cannot name.
class Matrix {
  int rows_, cols_;
  std::vector<real> data_;

 public:
  Matrix(int rows, int cols) : rows_(rows), cols_(cols), data_(rows * (cols + PADDED) + cols) {
    for (std::size_t i = 0; i < data_.size(); ++i) data_[i] = static_cast<real>(i % 5) - 1;
  }
#ifdef COLUMNS
  real &operator()(int i, int j) { return data_[i + j * rows_]; }
  real operator()(int i, int j) const { return data_[i + j * rows_]; }
#else
  real &operator()(int i, int j) { return data_[i * (cols_ + PADDED) + j]; }
  real operator()(int i, int j) const { return data_[i * (cols_ + PADDED) + j]; }
#endif
  int rows() const { return rows_; }
  int cols() const { return cols_; }
  std::size_t size() const { return data_.size(); }
  real *data() { return data_.data(); }
};
void multiply(Matrix &c, const Matrix &a, const Matrix &b) {
#pragma scop
  for (int i = 0; i < c.rows(); ++i)
    for (int j = 0; j < c.cols(); ++j) {
      double sum = 0;
      for (int k = 0; k < a.cols(); ++k) sum += a(i, k) * b(k, j);
      c(i, j) = sum;
    }
#pragma endscop
}
// A template, with an array inside and a function that computes the place.
template <typename T, int kCells>
class Grid {
 public:
  explicit Grid(int size) : size_(size) {
    for (int i = 0; i < kCells; ++i) cells_[i] = i % 9;
  }
  T &at(int i, int j) { return cells_[place(i, j)]; }
  const T &at(int i, int j) const { return cells_[place(i, j)]; }
  int size() const { return size_; }

 private:
  std::size_t place(int i, int j) const { return static_cast<std::size_t>(i) * size_ + j; }
#ifdef WIDE
  long size_;
#else
  int size_;
#endif
  std::array<T, kCells> cells_;
};
void smooth(Grid<double, 400> &to, const Grid<double, 400> &from) {
#pragma scop
  for (int i = 1; i < from.size() - 1; ++i)
    for (int j = 1; j < from.size() - 1; ++j)
      to.at(i, j) = from.at(i, j) - (from.at(i - 1, j) + from.at(i, j + 1)) * 0.5;
#pragma endscop
}
// A pointer, and rows of it.
class Image {
 public:
  Image(int w, int h, int *pixels) : w_(w), h_(h), pixels_(pixels) {}
  int *operator[](int y) { return pixels_ + y * w_; }
  const int *operator[](int y) const { return pixels_ + y * w_; }
  int width() const { return w_; }
  int height() const { return h_; }

 private:
  int w_, h_, *pixels_;
};
void blur(Image &to, const Image &from) {
#pragma scop
  for (int y = 0; y < from.height(); ++y)
    for (int x = 1; x < from.width() - 1; ++x) to[y][x] = (from[y][x - 1] + 2 * from[y][x]) / 4 + from[y][x + 1] % 64;
#pragma endscop
}
// Of the object itself, for instances of a template.
template <typename T>
class Field {
 public:
  explicit Field(int n) : n_(n), now_(n * n), before_(n * n, T(3)) {}
  T &operator()(int i, int j) { return now_[i * n_ + j]; }
  T before(int i, int j) const { return before_[i * n_ + j]; }
  void relax() {
#pragma scop
    for (int i = 0; i < n_; ++i)
      for (int j = 0; j < n_; ++j) (*this)(i, j) = 0.5 * before(i, j) + (*this)(i, j) + i;
#pragma endscop
  }

 private:
  int n_;
  std::vector<T> now_, before_;
};
static void print(Matrix &m) { PRINT(m.data(), (int)m.size()); }
int main() {
  for (int n : {12, 12, 5, 1, 0}) {
    Matrix a(n, n), b(n, n), c(n, n);
    multiply(c, a, b);
    print(c);
    multiply(a, a, b);
    print(a);
    multiply(b, a, b);
    print(b);
    multiply(c, c, c);
    print(c);
    Grid<double, 400> from(n), to(n);
    smooth(to, from);
    smooth(from, from);
    PRINT(&to.at(0, 0), 400);
    PRINT(&from.at(0, 0), 400);
    int pixels[600] = {0};
    for (int i = 0; i < 600; ++i) pixels[i] = i * 7 % 31;
    Image whole(n, n, pixels), apart(n, n, pixels + 300), shifted(n, n, pixels + n);
    blur(apart, whole);
    blur(whole, whole);
    blur(shifted, whole);
    blur(whole, shifted);
    PRINT(pixels, 600);
    Field<double> field(n);
    field.relax();
    field.relax();
    if (n > 0) PRINT(&field(0, 0), n * n);
  }
  Matrix a(12, 7), b(7, 12), c(12, 12);
  multiply(c, a, b);
  print(c);
}
