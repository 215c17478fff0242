// build:
// build: -DGROW
// build: -DOWN
// build: -DDYNAMIC
// build: -DSTRIDED
// parameters: n=12,tune_this_n=12
#include <array>
#include <utility>
#include <vector>

#include "checksum.h"
/* What other builds make of the text, and of the names of types. */
#ifdef GROW
#define ENSURE(v, i) \
  if ((int)(v).size() <= (i)) (v).resize((i) + 1)
#else
#define ENSURE(v, i)
#endif
void grow(std::vector<float> &y, const std::vector<float> &x, int n) {
#pragma scop
  for (int i = 0; i < n; i++) {
    ENSURE(y, i);
    y[i] = 2 * x[i];
  }
#pragma endscop
}
struct Solver {
  int n;
  double tol;
  std::vector<double> x;
  void run() {
#pragma scop
    for (int i = 0; i < n; i++) {
#ifdef OWN
      tol *= 2;
#endif
      x[i] += tol;
    }
#pragma endscop
  }
};
#ifdef DYNAMIC
using Row = std::vector<float>;
#else
using Row = std::array<float, 12>;
#endif
void fixed(Row &r, int n) {
#pragma scop
  for (int i = 0; i < n; i++) r[i] += i;
#pragma endscop
}
#ifdef STRIDED
struct View {
  float *p;
  float *data() const { return p; }
  float &operator[](int i) const { return p[2 * i]; }
};
#else
using View = std::vector<float>;
#endif
void view(View &v, int n) {
#pragma scop
  for (int i = 0; i < n; i++) v[i] *= 3;
#pragma endscop
}
int main() {
  std::vector<float> x(12, 1.5f), y;
#ifndef GROW
  y.resize(12);
#endif
  grow(y, x, 12);
  PRINT(y, 12);
  Solver s{12, 0.25, std::vector<double>(12, 1)};
  s.run();
  PRINT(s.x, 12);
  Row r = {};
#ifdef DYNAMIC
  r.resize(12);
#endif
  fixed(r, 12);
  PRINT(r, 12);
  std::vector<float> values(24, 1);
#ifdef STRIDED
  View v{values.data()};
  view(v, 12);
#else
  view(values, 12);
#endif
  PRINT(values, 24);
}
