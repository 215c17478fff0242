// build:
// build: -O2 -DUNUSED=1
// build: -DSMALL
// parameters: n=8
// Structures inside of structures, of several sizes and types, and as arguments of functions.
#include <stdlib.h>
#include "checksum.h"
struct vector { float x, y, z; };
struct complex { double re, im; };
struct pixel { unsigned char r, g, b; };
struct cell {
  struct vector v[4];
  struct { double rho, u[2]; };
  int n, flags;
};
struct grid {
  int w, h;
#ifndef SMALL
  long more;
#endif
  struct cell cells[8][6];
  double total, dt;
  short levels[16];
};
static struct grid grid;
static struct complex a[8][8], b[8][8], c[8][8];
static struct pixel image[8][30];

static float dot(struct vector p, const struct vector q) { return p.x * q.x + p.y * q.y + p.z * q.z; }
static void add(struct vector *p, float f) {
  p->x += f;
  p->y -= f;
}
void weigh(struct grid *g) {
#pragma scop
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 6; j++) g->total += g->cells[i][j].rho * g->dt + g->cells[i][j].u[1];
#pragma endscop
}
void count(int n, struct cell *p) {
#pragma scop
  for (int i = 0; i < n; i++) {
    if (p[i].n > 3)
      p[i].flags++;
    else
      (*p).flags += p->n;
  }
#pragma endscop
}
void turn(int n, struct cell p[8][6]) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 6; j++)
      for (int k = 0; k < 4; k++) {
        p[i][j].v[k].x = p[i][j].v[3 - k].y;
        add(&p[i][j].v[k], 2);
      }
#pragma endscop
}
float dots(int n, struct vector *p, const struct vector *q) {
  float s = 0;
#pragma scop
  for (int i = 0; i < n; i++) s += dot(p[i], q[i]);
#pragma endscop
  return s;
}
void levels(int n) {
#pragma scop
  for (int i = 0; i < n; i++) grid.levels[i] = grid.levels[15 - i] / 2 + i;
#pragma endscop
}
void walk(int n, struct vector *p) {
#pragma scop
  for (int i = 0; i < n; i++) {
    struct vector *q = p + i;
    q->z = q[1].x;
    if (p[i].x < p[0].y) p[0].y = p[i].x;
  }
#pragma endscop
}
void between(int n, struct vector *restrict p) {
  struct vector *q = malloc(n * sizeof *q);
#pragma scop
  for (int i = 0; i < n; i++) {
    q[i].x = p[i].x;
    q[i].y = i;
  }
  for (int i = 1; i < n; i++) p[i].z = q[i - 1].x + q[i].y;
#pragma endscop
  free(q);
}
void product(int n) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      c[i][j].re = c[i][j].im = 0;
      for (int k = 0; k < n; k++) {
        c[i][j].re += a[i][k].re * b[k][j].re - a[i][k].im * b[k][j].im;
        c[i][j].im += a[i][k].re * b[k][j].im + a[i][k].im * b[k][j].re;
      }
    }
#pragma endscop
}
void gray(int n) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 1; j < 29; j++) image[i][j].g = (image[i][j - 1].r + image[i][j].b + image[i][j + 1].r) / 3;
#pragma endscop
}
static void fill(void) {
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 6; j++) {
      struct cell *p = &grid.cells[i][j];
      for (int k = 0; k < 4; k++) p->v[k] = (struct vector){(i + k) % 5, (j * k) % 7, i};
      p->rho = i - j;
      p->u[1] = j;
      p->n = (i * j) % 6;
      p->flags = 1;
    }
  for (int i = 0; i < 16; i++) grid.levels[i] = i * i;
  grid.dt = 2;
  for (int i = 0; i < 8; i++) {
    for (int j = 0; j < 8; j++) {
      a[i][j] = (struct complex){(i + j) % 5, i * j % 3};
      b[i][j] = (struct complex){i * j % 7, (i - j) % 4};
    }
    for (int j = 0; j < 30; j++) image[i][j] = (struct pixel){i * 30 + j, j % 3, 255 - i - j};
  }
}
static void print(void) {
  double sum = grid.total;
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 6; j++) {
      const struct cell *p = &grid.cells[i][j];
      for (int k = 0; k < 4; k++) sum += p->v[k].x + 2 * p->v[k].y * j + 3 * p->v[k].z * k;
      sum += p->rho + p->u[0] + p->u[1] + p->n + p->flags * i;
    }
  for (int i = 0; i < 16; i++) sum += grid.levels[i] * i;
  printf("%.9e\n", sum);
  PRINT((double *)c, 128);
  PRINT((unsigned char *)image, 720);
}
int main(void) {
  fill();
  weigh(&grid); print();
  count(8, grid.cells[0]); count(5, grid.cells[3]); print();
  turn(8, grid.cells); turn(3, grid.cells + 2); print();
  printf("%g\n", dots(4, grid.cells[0][0].v, grid.cells[1][0].v));
  struct vector v[20], w[20];
  for (int i = 0; i < 20; i++) v[i] = (struct vector){i % 3, i % 5, 1}, w[i] = (struct vector){1, i % 2, i % 4};
  printf("%g %g\n", dots(8, v, w), dots(8, v, v + 3));
  levels(8); levels(16); print();
  walk(8, v); walk(13, v); PRINT((float *)v, 60);
  between(8, v); between(17, v); PRINT((float *)v, 60);
  product(8); product(3); print();
  gray(8); gray(2); print();
}
