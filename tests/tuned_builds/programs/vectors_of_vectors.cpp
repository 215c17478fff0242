// build:
// build: -O2
// build: -DREAL=float
// parameters: n=12,tune_row_a=12,tune_row_b=12,tune_a_size=12,tune_a_size_1=12,tune_row_a_2=12,tune_row_b_2=12,tune_row_t_3=12,tune_t_size=12,tune_t_size_1=12
#include <cstddef>
#include <new>
#include <vector>

#include "checksum.h"
#ifndef REAL
#define REAL double
#endif
typedef REAL real;
// Rows lie in a block, one behind the other, at the distance that is asked for; then anywhere.
static real block[20000];
static std::size_t used, apart;
template <typename T>
struct Placed {
  typedef T value_type;
  Placed() = default;
  template <typename U>
  Placed(const Placed<U> &) {}
  T *allocate(std::size_t n) { return static_cast<T *>(::operator new(n * sizeof(T))); }
  void deallocate(T *at, std::size_t) { ::operator delete(at); }
  bool operator==(const Placed &) const { return true; }
  bool operator!=(const Placed &) const { return false; }
};
template <>
struct Placed<real> {
  typedef real value_type;
  Placed() = default;
  template <typename U>
  Placed(const Placed<U> &) {}
  real *allocate(std::size_t) {
    real *const at = block + used;
    used += apart;
    return at;
  }
  void deallocate(real *, std::size_t) {}
  bool operator==(const Placed &) const { return true; }
  bool operator!=(const Placed &) const { return false; }
};
typedef std::vector<std::vector<real, Placed<real>>> Table;
static Table table(int rows, int length, std::size_t distance) {
  apart = distance;
  Table made(rows, std::vector<real, Placed<real>>(length));
  used = (used + 40) % 10000;
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < length; j++) made[i][j] = (i * 7 + j) % 5 - 1;
  return made;
}
void f(int n, Table &a, const Table &b) {
#pragma scop
  for (int i = 1; i < n; i++)
    for (int j = 0; j < n; j++) a[i][j] = 0.5 * a[i - 1][j] + b[i][j];
#pragma endscop
}
void g(Table &a, const Table &b) {
#pragma scop
  for (std::size_t i = 0; i < a.size(); i++)
    for (std::size_t j = 0; j < a[0].size(); j++) a[i][j] += 2 * b[i][j];
#pragma endscop
}
void h(Table &t, int m) {
#pragma scop
  for (std::size_t i = 0; i < t.size(); i++)
    for (std::size_t j = 0; j < t[i].size(); j++) t[i][j] = t[i][j] * 3 + m;
#pragma endscop
}
static void print(const Table &a) {
  for (const auto &row : a) {
    real *first = const_cast<real *>(row.data());
    PRINT(first, (int)row.size());
  }
}
int main() {
  for (int distance : {12, 12, 17, 14}) {
    Table a = table(12, 12, distance), b = table(12, 12, 12), t = table(12, 12, 12);
    f(12, a, b);
    print(a);
    f(12, a, a);
    g(a, b);
    print(a);
    g(b, b);
    print(b);
    h(t, 10);
    print(t);
    // A row of another length, rows that change places, fewer rows, none.
    t[5].pop_back();
    h(t, 10);
    a[3].swap(a[4]);
    f(12, a, b);
    g(a, b);
    print(a);
    f(5, a, b);
    a.resize(6);
    b.resize(6);
    g(a, b);
    f(6, b, a);
    print(b);
    a.clear();
    g(a, b);
    f(0, a, b);
    f(1, a, b);
    h(a, 10);
    print(t);
  }
  // Triangles.
  Table a = table(12, 12, 14);
  for (int i = 0; i < 12; i++) a[i].resize(i + 1);
  h(a, 10);
  print(a);
}
