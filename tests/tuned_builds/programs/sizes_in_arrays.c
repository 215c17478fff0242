// build:
// build: -DSHIFTED
// build: -DSIZE=long
// build: -DSIZE=short
// build: -DFIRST=1
// parameters: tune_g_n_0=10,tune_g_n_1=12,tune_s_shape_0=10,tune_s_shape_2=12,tune_c_limit=20
// Sizes that are elements of arrays in structures, which regions may write, or calls move.
#include "checksum.h"
#ifndef SIZE
#define SIZE int
#endif
#ifndef FIRST
#define FIRST 0
#endif
#ifdef SHIFTED
struct grid { short before; SIZE n[4]; double *data; };
#else
struct grid { SIZE n[3]; double *data; };
#endif
static void fill(struct grid *g, double *y) {
#pragma scop
  for (int i = 0; i < g->n[0]; i++)
    for (int j = 0; j < g->n[1]; j++) {
      g->data[i * g->n[1] + j] += i - j;
      y[i] += g->data[i * g->n[1] + j];
    }
#pragma endscop
}
struct shape { int shape[3], weights[2]; float scale; };
static void weigh(int n, struct shape s, int *x, int *written) {
#pragma scop
  for (int i = FIRST; i < s.shape[0]; i++) {
    for (int j = 0; j < s.shape[2]; j++) x[i * s.shape[2] + j] += s.weights[1] * j;
    written[i % 3] = i + n;
  }
#pragma endscop
}
/* The region changes the array itself: its elements are those of an array. */
struct counters { int count[4]; long limit; };
static void count(int n, struct counters *c, const int *x) {
#pragma scop
  for (int i = 0; i < c->limit; i++) c->count[1] += c->count[0] + x[i] % 2;
#pragma endscop
}
int main(void) {
  static double data[400], y[200];
  static int x[400], cells[8];
  for (int i = 0; i < 400; i++) x[i] = i % 23;
  for (int m = 0; m < 16; m += 5) {
    struct grid g = {.n = {m, m + 2, 7}, .data = data};
    fill(&g, y);
    fill(&g, data);
    fill(&g, data + 3);
    PRINT(data, 400);
    PRINT(y, 200);
    struct shape s = {{m, 2, m + 2}, {5, m}, 2};
    weigh(m, s, x, cells);
    PRINT(x, 400);
    PRINT(cells, 8);
    struct counters c = {{m, 2, 3, 4}, 20};
    count(m, &c, x);
    PRINT(c.count, 4);
  }
}
