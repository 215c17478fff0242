// build:
// build: -O3
// build: -Dcount_type=long
// given sizes: it writes members of structures of which others have other types
// parameters: n=60,m=7
// Increments and decrements where data say so: of variables, elements and members, of integers and others.
#include "checksum.h"
#ifndef count_type
#define count_type int
#endif
struct tally { count_type above; float weight; short below; };
static float x[60], y[60], w[60];
static int a[60], b[60];
static short s[60];
static unsigned char u[60];
static _Float16 h[60], g[60];
static struct tally t[7];

static void counts(int n, float limit) {
  count_type above = 0, odd = 0;
  unsigned below = 1000;
  double steps = 0.5;
  _Float16 half = 1;
#pragma scop
  for (int i = 0; i < n; i++) {
    if (x[i] > limit) above++;
    else --below;
    if (x[i] > 1 && a[i]) {
      odd += 2;
      b[i]++;
    }
    if (a[i] > 2) s[i]++;
    if (a[i] < 2) --u[i];
    if (b[i] % 3) steps--;
    x[i] > 2 ? odd++ : below--;
    x[i] > 3 && odd++;
    above += x[i] > 4;
    if (y[i] > x[i]) half++;
    if (h[i] > limit) h[i]++;
    if (g[i] > h[i]) g[i]--;
    if (g[i] > 0) w[i]++;
  }
#pragma endscop
  printf("%ld %ld %u %.9e %.9e\n", (long)above, (long)odd, below, steps, (double)half);
}
static void rows(int n, int m) {
#pragma scop
  for (int k = 0; k < m; k++) {
    t[k].above = 0;
    for (int i = 0; i < n; i++) {
      if (x[i] > k) t[k].above++;
      if (x[i] < k) t[k].below--;
      if (y[i] > x[i]) t[k].weight++;
    }
  }
#pragma endscop
}
// How many neighbours are alive, and what becomes of each.
static void neighbours(int n) {
#pragma scop
  for (int i = 1; i < n - 1; i++) {
    int alive = 0;
    if (a[i - 1] > 2) alive++;
    if (a[i + 1] > 2) alive++;
    if (alive == 1) b[i] = alive;
    else if (alive) b[i]--;
  }
#pragma endscop
}
static void show(void) {
  PRINT(s, 60); PRINT(u, 60); PRINT(b, 60); PRINT(h, 60); PRINT(g, 60); PRINT(w, 60);
  for (int k = 0; k < 7; k++) printf("%ld %.4e %d\n", (long)t[k].above, t[k].weight, t[k].below);
}
int main(void) {
  for (int i = 0; i < 60; i++) {
    x[i] = (i * 7 % 11) * 0.75f;
    y[i] = (i * 5 % 13) * 0.5f;
    a[i] = i % 5;
    b[i] = i % 4;
    s[i] = -i;
    u[i] = i % 3;
    h[i] = i % 6;
    g[i] = i % 9 - 1;
    w[i] = -0.0f;
  }
  counts(60, 2.5f); show();
  counts(13, 0.5f); show();
  rows(60, 7); show();
  rows(21, 3); show();
  neighbours(60); show();
  neighbours(9); show();
}
