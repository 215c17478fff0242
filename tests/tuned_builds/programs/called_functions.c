// build:
// build: -O2 -DUNUSED=1
// build: -DLOWEST=-1.0
// parameters: n=50
#include "checksum.h"
#ifndef LOWEST
#define LOWEST -0.5
#endif
static double a[50], b[50], m[20][30], w[20]; static int k[50];
static inline double square(double x) { return x * x; }
static double clamp(double x, double low, double high) {
  if (x < low) x = low;
  if (x > high) x = high;
  return x;
}
static float half(float x) { return x / 2; }
static unsigned char low_byte(unsigned char x) { return x; }
static int next(int i) { return i + 1; }
static float steps(float x, unsigned char c, int k) {
  c += 200;
  x *= 0.75;
  k -= c;
  x -= k;
  k++;
  --k;
  c++;
  return x + (c >> 1) - k;
}
static int larger(int x, int y) { return x > y ? x : y; }
static double at(const double *row, int j) { return row[j]; }
static void scale(double *row, int n, double by) {
  for (int j = 0; j < n; j++) {
    if (j == 7) continue;
    row[j] *= by;
  }
}
static void add_once(double *to, double x, int really) {
  if (really < 3) return;
  x += 1;
  *to += x;
}
void f(int n, double *sum) {
  double total = *sum;
#pragma scop
  for (int i = 0; i < n; i++) {
    a[i] = square(b[i] + half(a[i])) + clamp(b[i], LOWEST, 0.25 * i);
    a[i] += steps(a[i], k[i], i);
    k[i] = low_byte(k[i] + 300 * i) + next(larger(i, 5));
  }
  for (int i = larger(1, n - 40); i < larger(10, n) - 2; i++) b[i] = at(a, next(i)) - at(&m[3][0], i % 30);
  for (int i = 0; i < 20; i++) {
    double *row = m[i];
    scale(row, 30, row[3]);
    add_once(&w[i], row[4], i);
    add_once(&total, w[i], k[i]);
  }
#pragma endscop
  *sum = total;
}
int main(void) {
  double sum = 1;
  FILL(a, 50); FILL(b, 50); FILL(k, 50); FILL(w, 20);
  for (int i = 0; i < 20; i++) FILL(m[i], 30);
  f(50, &sum); f(20, &sum);
  PRINT(a, 50); PRINT(b, 50); PRINT(k, 50); PRINT(w, 20);
  for (int i = 0; i < 20; i++) PRINT(m[i], 30);
  PRINT(&sum, 1);
}
