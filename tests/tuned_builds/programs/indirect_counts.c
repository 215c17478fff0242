// build:
// build: -O3
// build: -Dcount_type=long
// parameters: n=60,m=8
// Histograms under conditions: of elements that data decide, which are counted where data say so.
#include "checksum.h"
#ifndef count_type
#define count_type int
#endif
struct bin { count_type hits; float weight; };
static void histograms(int n, int m, const float x[n], const int k[n], count_type h[m], float w[m], double d[m],
                       _Float16 f[m], short s[m]) {
#pragma scop
  for (int i = 0; i < n; i++) {
    if (x[i] > 0.5f) h[k[i]]++;
    if (x[i] > 1.5f) w[k[i]] += x[i];
    if (x[i] < 0.5f) --d[k[i]];
    if (x[i] > 2) f[k[i]]++;
    if (x[i] > 1) s[k[i]]--;
  }
#pragma endscop
}
// Assignments that are no sums, in the order of the loop.
static void others(int n, int m, const float x[n], const int k[n], unsigned marks[m], double d[m], _Float16 f[m],
                   short s[m]) {
#pragma scop
  for (int i = 0; i < n; i++) {
    marks[k[i]] |= 1u << (i & 7);
    marks[k[i]] ^= i;
    if (x[i] > 2) d[k[i]] /= 2;
    f[k[i]] += x[i];
    s[k[i]] += s[i % 8];
    if (x[i] > 1) s[k[i]] %= 7;
  }
#pragma endscop
}
static void rows(int n, int m, const float x[n], const int k[n], int h[4][m]) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (x[j] > x[i]) h[0][k[i]]++;
      if (x[j] > 0) h[k[j] & 3][k[i]]++;
      else h[3][k[j]] = h[3][k[j]] - 1;
    }
#pragma endscop
}
static void members(int n, int m, const float x[n], const int k[n], struct bin b[m]) {
#pragma scop
  for (int i = 0; i < n; i++) {
    if (x[i] > 1) b[k[i]].hits++;
    if (x[i] > 2) b[k[i]].weight += 0.5f;
  }
#pragma endscop
}
static float x[60], w[8];
static int k[60], rows_of[4][8];
static count_type h[8];
static double d[8];
static _Float16 f[8];
static short s[8];
static unsigned marks[8];
static struct bin b[8];
static void show(void) {
  PRINT(h, 8); PRINT(w, 8); PRINT(d, 8); PRINT(f, 8); PRINT(s, 8); PRINT(marks, 8); PRINT((int *)rows_of, 32);
  for (int i = 0; i < 8; i++) printf("%ld %.4e\n", (long)b[i].hits, b[i].weight);
}
int main(void) {
  for (int i = 0; i < 60; i++) {
    x[i] = (i * 7 % 11) * 0.375f - 0.25f;
    k[i] = i * 5 % 8;
  }
  histograms(60, 8, x, k, h, w, d, f, s); show();
  histograms(7, 8, x, k, h, w, d, f, s); show();
  others(60, 8, x, k, marks, d, f, s); show();
  others(13, 8, x, k, marks, d, f, s); show();
  rows(60, 8, x, k, rows_of); show();
  rows(9, 8, x, k, rows_of); show();
  members(60, 8, x, k, b); show();
  members(11, 8, x, k, b); show();
}
