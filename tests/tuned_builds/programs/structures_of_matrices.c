// build:
// build: -DREAL=double
// build: -O2
// parameters: tune_a_rows=9,tune_a_cols=7,tune_b_cols=8,tune_c_cols=8,tune_s_n=20,tune_m_n=6
#include "checksum.h"
#include <stdlib.h>
const char *__asan_default_options(void) { return "detect_leaks=0"; } /* nothing is freed */
typedef struct { int rows, cols; double *data; } matrix;
void product(const matrix *a, const matrix *b, matrix *c) {
#pragma scop
  for (int i = 0; i < a->rows; i++)
    for (int j = 0; j < b->cols; j++) {
      c->data[i * c->cols + j] = 0;
      for (int k = 0; k < a->cols; k++)
        c->data[i * c->cols + j] += a->data[i * a->cols + k] * b->data[k * b->cols + j];
    }
#pragma endscop
}
#ifndef REAL
#define REAL float
#endif
struct { REAL factor; int n; float in[64], out[64]; } s = {0.5, 20};
void scale(REAL *to) {
#pragma scop
  for (int i = 0; i < s.n; i++) {
    s.out[i] = s.factor * s.in[i];
    to[i] = s.in[i] + s.factor;
  }
#pragma endscop
}
struct counts { int n; int *of; };
void count(struct counts *m, int *all) {
#pragma scop
  for (int i = 0; i < m->n; i++) {
    m->of[i] = all[i] + m->n;
    all[i] += 1;
  }
#pragma endscop
}
static matrix filled(int rows, int cols) {
  matrix m = {rows, cols, malloc(rows * cols * sizeof(double))};
  FILL(m.data, rows * cols);
  return m;
}
int main(void) {
  matrix a = filled(9, 7), b = filled(7, 8), c = filled(9, 8), t;
  product(&a, &b, &c);
  PRINT(c.data, 72);
  /* Other sizes, rows of other lengths, the same matrix twice, parts of one, none at all. */
  a.rows = 5; product(&a, &b, &c);
  a.rows = 7; b.cols = 7; c.cols = 8; product(&a, &b, &c);
  PRINT(c.data, 72);
  c.cols = 7; product(&a, &b, &b);
  PRINT(b.data, 56);
  t = a; t.data = a.data + 3; a.rows = 1; product(&a, &b, &t);
  PRINT(a.data, 63);
  a.rows = 0; product(&a, NULL, NULL);
  a.rows = 2; b.cols = 0; product(&a, &b, NULL);
  a.rows = 9; a.cols = 7; b.cols = c.cols = 8;
  double to[64];
  FILL(s.in, 64); FILL(s.out, 64); FILL(to, 64);
  scale(to);
  s.n = 11; scale(to + 3);
  s.n = 20; s.factor = 1025.7; scale(to);
  s.n = 1; scale(&s.factor);
  PRINT(s.out, 64); PRINT(to, 64); PRINT(s.in, 64); PRINT(&s.factor, 1); printf("%d\n", s.n);
  int of[40];
  FILL(of, 40);
  struct counts m = {6, of};
  count(&m, of + 10);
  m.of = of + 5; count(&m, of + 2);
  m.n = 3; count(&m, of + 20);
  /* The number of elements is one of them. */
  struct counts *own = calloc(1, sizeof *own);
  own->n = 1; own->of = of; count(own, &own->n);
  printf("%d\n", own->n);
  PRINT(of, 40);
}
