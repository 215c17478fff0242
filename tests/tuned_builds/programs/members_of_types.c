// build:
// build: -O2 -DUNUSED=1
// build: -DWEIGHT
// build: -Dreal=double
// build: -Dcount_type=long
// given sizes: it writes members of structures of which others have other types
// parameters: n=40,m=9,t=3
// Members of several types of the same structures: read together, and written by one statement or another.
#include <stdbool.h>
#include "checksum.h"
#ifndef real
#define real float
#endif
#ifndef count_type
#define count_type int
#endif
enum kind { SOLID, FLUID = 3, GAS };
struct particle {
  real x, y;
  count_type kind;
#ifdef WEIGHT
  double weight;
#endif
};
struct cell {
  bool wall;
  double rho[3];
  struct cell *next;
  signed char steps;
  enum kind kind;
  long long id;
  short tag[2];
};
struct site { float u; int flag; float v; };
static struct particle p[40];
static struct cell c[40], grid[9][40];
static struct site sites[360];
static struct { int counts[40]; double sums[40], scale; short last; } s;

static void move(int n, int t, struct particle *q, float dt) {
#pragma scop
  for (int k = 0; k < t; k++)
    for (int i = 0; i < n; i++) {
      q[i].x += dt * q[i].y;
      q[i].kind += k;
      q[i].y = q[i].kind % 2 == 0 ? -q[i].y : q[i].x;
    }
#pragma endscop
}
static void kinds(int n, int m) {
#pragma scop
  for (int i = 0; i < n; i++) {
    if (c[i].kind == FLUID) c[i].rho[1] += 2 * c[i].rho[0];
    c[i].wall = c[i].rho[2] > 1 && !c[i].wall;
    c[i].id += c[i].steps;
    c[i].tag[1] = c[i].tag[0] + m;
  }
#pragma endscop
}
static void fill(int n, int m, struct cell g[restrict m][n], const struct particle *restrict q) {
#pragma scop
  for (int i = 1; i < m; i++)
    for (int j = 1; j < n - 1; j++) {
      g[i][j].rho[0] = q[j].x + (g[i - 1][j].wall ? g[i - 1][j].rho[1] : g[i - 1][j - 1].rho[2]);
      g[i][j].steps = q[j].kind + j;
      g[i][j].wall = g[i - 1][j + 1].steps % 3 == 0;
    }
#pragma endscop
}
// What lies between the members that are written is not.
static void between(int n, int m) {
#pragma scop
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      sites[i * n + j].u = sites[i * n + j].flag * 0.5f;
      sites[i * n + j].v = sites[i * n + j].u + i;
    }
  for (int i = 0; i < m; i++)
    for (int j = i; j < n - i; j++) sites[i * n + j].flag += j;
#pragma endscop
}
static void single(int n) {
#pragma scop
  for (int i = 0; i < n; i++) {
    s.counts[i] += i * s.last;
    s.sums[i] += s.scale * s.counts[i];
  }
  s.last = s.counts[0];
#pragma endscop
}
static double total(int n) {
  double sum = 0;
#pragma scop
  for (int i = 0; i < n; i++)
    if (p[i].kind > 2) sum += p[i].x;
#pragma endscop
  return sum;
}

static void show(void) {
  double part[6] = {0};
  long numbers[6] = {0};
  for (int i = 0; i < 40; i++) {
    part[0] += p[i].x * (i + 1);
    part[1] += p[i].y * (i + 1);
    numbers[0] += p[i].kind * (i + 1);
    numbers[1] += c[i].wall * (i + 1) + 100 * c[i].kind + c[i].steps + 3 * c[i].tag[1] + c[i].tag[0];
    numbers[2] += c[i].id * (i + 1) + (c[i].next == &c[i]);
    for (int k = 0; k < 3; k++) part[2] += c[i].rho[k] * (i + k);
    for (int j = 0; j < 9; j++) {
      const struct cell *g = &grid[j][i];
      numbers[3] += g->wall * (i + j) + g->steps * (j + 1) + g->id + g->tag[0] + g->tag[1] + g->kind;
      for (int k = 0; k < 3; k++) part[3] += g->rho[k] * (i + j + k);
    }
    numbers[4] += s.counts[i] * (i + 1);
    part[4] += s.sums[i] * (i + 1);
  }
  for (int i = 0; i < 360; i++) {
    part[5] += sites[i].u * (i % 7) + sites[i].v;
    numbers[5] += sites[i].flag * (i % 11);
  }
  for (int i = 0; i < 6; i++) printf("%.5e %ld ", part[i], numbers[i]);
  printf("%d %.5e\n", s.last, total(40));
}

int main(void) {
  for (int i = 0; i < 40; i++) {
    p[i].x = i * 0.25f;
    p[i].y = 3 - i * 0.125f;
    p[i].kind = i % 5;
    c[i] = (struct cell){i % 3 == 0, {i, 0.5 * i, 0.25 * i}, &c[i], i, i % 4 == 0 ? FLUID : GAS, i * 7, {i, 2}};
    for (int j = 0; j < 9; j++) grid[j][i] = c[(i + j) % 40];
    s.counts[i] = i % 7;
    s.sums[i] = i * 0.5;
  }
  for (int i = 0; i < 360; i++) sites[i] = (struct site){i, i % 13, -i};
  s.scale = 0.5;
  s.last = 3;
  move(40, 3, p, 0.5f); show();
  move(25, 2, p, 0.5f); show();
  kinds(40, 9); show();
  kinds(13, 5); show();
  fill(40, 9, grid, p); show();
  fill(20, 18, (void *)grid, p); show();
  between(40, 9); show();
  between(25, 7); show();
  single(40); show();
  single(11); show();
}
