// build:
// build: -O2 -std=c++20
// build: -DREAL=double
// build: -DSTEPS=8
// build: -DSHORTER
// parameters: steps=7,n=41,tune_this_steps=6,tune_this_n=29
#include <memory>
#include <utility>
#include <vector>

#include "checksum.h"
#ifndef REAL
#define REAL float
#endif
#ifndef STEPS
#define STEPS 7
#endif
extern "C" const char *__asan_default_options() { return "detect_leaks=0"; }
using real = REAL;

void smooth(std::vector<real> &u, std::vector<real> &v, int n, int steps) {
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++) v[i] = 0.25f * u[i - 1] + 0.5f * u[i] + 0.25f * u[i + 1];
    std::swap(u, v);
  }
#pragma endscop
}

// Three of them, by a member function and by that of the library.
void turn(std::vector<real> &a, std::vector<real> &b, std::vector<real> &c, int n, int steps) {
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < n; i++) c[i] = 2 * a[i] - 0.5f * b[i];
    b.swap(a);
    swap(a, c);
  }
#pragma endscop
}

struct Grid {
  int n, steps;
  std::unique_ptr<real[]> now, next;
  void run() {
#pragma scop
    for (int i = 0; i < n; i++) now[i] += 1;
    for (int t = 0; t < steps; t++) {
      for (int i = 0; i < n; i++) next[i] = now[i] * 0.75f + i;
      std::swap(now, next);
    }
#pragma endscop
  }
};

int main() {
  const int n = 41;
#ifdef SHORTER
  const int other = 60;  // the original runs
#else
  const int other = n;
#endif
  std::vector<real> u(n), v(other), w(n);
  FILL(u.data(), n);
  FILL(v.data(), n);
  FILL(w.data(), n);
  v[0] = u[0], v[n - 1] = u[n - 1];
  const real *first = u.data();
  smooth(u, v, n, STEPS);
  PRINT(u.data(), n);
  PRINT(v.data(), n);
  printf("%d ", u.data() == first);
  std::vector<real> x(n, 1);
  turn(u, w, x, n, STEPS);
  printf("%d ", u.data() == first);
  PRINT(u.data(), n);
  PRINT(w.data(), n);
  PRINT(x.data(), n);
  Grid grid{29, STEPS - 1, std::make_unique<real[]>(29), std::make_unique<real[]>(29)};
  FILL(grid.now.get(), 29);
  grid.run();
  PRINT(grid.now.get(), 29);
  PRINT(grid.next.get(), 29);
  printf("%d\n", static_cast<int>(u.size()));
}
