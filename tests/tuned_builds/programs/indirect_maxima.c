// Largest and smallest elements by their index alone.
// build:
// parameters: n=5000
#include <math.h>
#include <stdio.h>

static int greatest(int n, const float x[n], int k) {
#pragma scop
  for (int i = 0; i < n; i++)
    if (x[i] > x[k]) k = i;
#pragma endscop
  return k;
}
static long last_least(int n, const int x[n], long k) {
#pragma scop
  for (long i = n - 1; i >= 0; i--)
    if (x[k] >= x[i]) k = i;
#pragma endscop
  return k;
}
static int begins_inside(int n, const double x[n]) {
  int k;
#pragma scop
  k = 3;
  for (int i = 4; i < n; i += 2) k = x[i] < x[k] ? i : k;
#pragma endscop
  return k;
}
static int of_rows(int n, const double x[n], int k) {
  int all = 0;
#pragma scop
  for (int r = 0; r < 3; r++) {
    k = r;
    for (int i = 0; i < n; i++)
      if (x[i] > x[k]) k = i;
    all += k;
  }
#pragma endscop
  return all;
}
static int changed(int n, double x[n], int k) {
#pragma scop
  for (int i = 0; i < n; i++) {
    if (x[i] > x[k]) k = i;
    x[i] = 0;
  }
#pragma endscop
  return k;
}
static int two(int n, const double x[n], int k, int l) {
#pragma scop
  for (int i = 0; i < n; i++) {
    if (x[i] > x[k]) k = i;
    if (x[i] < x[l]) l = i;
  }
#pragma endscop
  return k * 10000 + l;
}

enum { N = 5000 };
static float x[N];
static double d[N];
static int v[N];

int main(void) {
  unsigned state = 7;
  for (int kind = 0; kind < 5; kind++) {
    const int values[] = {1 << 20, 9, 2, 40, 3};
    for (int i = 0; i < N; i++) {
      state = state * 1664525u + 1013904223u;
      v[i] = (int)((state >> 8) % values[kind]) - values[kind] / 2;
      x[i] = v[i];
      if (kind == 2 && v[i] == 0) x[i] = state & 256 ? 0.0f : -0.0f;
      if (kind >= 3 && (state >> 20) % 3 == 0) x[i] = NAN;
      d[i] = x[i];
    }
    if (kind == 4) x[17] = NAN, d[3] = NAN;
    for (int start = 0; start < N; start += 1017) {
      printf("%d ", greatest(N, x, start));
      printf("%ld ", last_least(N, v, start));
      printf("%d ", begins_inside(N, d));
      printf("%d ", of_rows(N, d, start));
      printf("%d ", two(N, d, start, N - 1 - start));
      printf("%d\n", changed(N, d, start));
    }
    printf("%d %d\n", greatest(N, x, 17), greatest(0, x, -1));
  }
  return 0;
}
