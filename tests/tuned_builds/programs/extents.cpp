// build:
// build: -DPADDED=2
// build: -DEXTENT=long
// build: -DEXTENT=short
// build: -DREAL=float
// parameters: tune_to_ext_0=12,tune_to_ext_1=12,tune_from_ext_1=12,tune_this_n_1=12,tune_this_n_2=9,tune_this_cells_size=1728
#include <array>
#include <cstddef>
#include <vector>

#include "checksum.h"
#ifndef PADDED
#define PADDED 0
#endif
#ifndef EXTENT
#define EXTENT int
#endif
#ifndef REAL
#define REAL double
#endif
typedef REAL real;
// As std::mdspan: extents in an array, elements by two subscripts.
class View {
  real *data_;
  std::array<EXTENT, 2> ext_;

 public:
  View(real *data, int rows, int cols) : data_(data), ext_{(EXTENT)rows, (EXTENT)cols} {}
  EXTENT extent(std::size_t k) const { return ext_[k]; }
  real &operator()(int i, int j) const { return data_[i * (ext_[1] + PADDED) + j]; }
};
void smooth(View to, View from) {
#pragma scop
  for (int i = 0; i < to.extent(0); ++i)
    for (int j = 1; j < from.extent(1); ++j) to(i, j) += from(i, j - 1) * 0.5 + from.extent(0);
#pragma endscop
}
// In three dimensions, of the object itself, by functions that ask one another.
class Box {
 public:
  Box(int n) : n{n, n, n - 3}, cells(n * n * n) {}
  static int layers() { return 4; }
  void fill() {
#pragma scop
    for (int i = 0; i < layers(); ++i)
      for (int j = 0; j < n[1]; ++j)
        for (int k = 0; k < n[2]; ++k) cells[(i * n[1] + j) * n[2] + k] += i + 2 * j - k;
#pragma endscop
  }
  int n[3];
  std::vector<double> cells;
};
// A table whose values are set and read: no sizes.
class Table {
  int values_[6] = {5, 4, 3, 2, 1, 0};

 public:
  int get(int i) const { return values_[i]; }
  int &at(int i) { return values_[i]; }
  int size() const { return 5; }
};
void rotate(Table &table, int *x) {
#pragma scop
  for (int i = 0; i < 5; ++i) {
    table.at(i) += table.get(5) + x[i];
    x[i] += table.get(0);
  }
#pragma endscop
}
// Loops over arrays that are members.
struct Coefficients {
  double c[7];
  float weights[3];
};
void scale(Coefficients &c, double by) {
#pragma scop
  for (double &x : c.c)
    for (float w : c.weights) x += w * by;
#pragma endscop
}
int main() {
  static real data[1000];
  for (int n : {12, 5, 1, 0}) {
    FILL(data, 1000);
    smooth(View(data, n, n), View(data + 400, n, n));
    smooth(View(data, n, n), View(data, n, n));
    smooth(View(data + 1, n, n + 1), View(data, n, n + 1));
    PRINT(data, 1000);
    if (n < 4) continue;
    Box box(n);
    box.fill();
    PRINT(box.cells.data(), (int)box.cells.size());
    Table table;
    int x[8];
    FILL(x, 8);
    rotate(table, x);
    PRINT(x, 8);
    for (int i = 0; i < 6; i++) x[i] = table.get(i);
    PRINT(x, 6);
    rotate(table, &table.at(0));
    for (int i = 0; i < 6; i++) x[i] = table.get(i);
    PRINT(x, 6);
    Coefficients c{{1, 2, 3, 4, 5, 6, 7}, {0.5f, 2, (float)n}};
    scale(c, 0.25);
    PRINT(c.c, 7);
  }
}
