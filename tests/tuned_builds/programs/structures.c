// build:
// build: -O2 -DUNUSED=1
// build: -DWEIGHT
// build: -Dreal=double
// parameters: n=40,m=9,t=3
// Members of structures: in arrays, behind pointers, with others of other types beside them.
#include "checksum.h"
#ifndef real
#define real float
#endif
struct vector { real x, y, z; };
typedef struct {
  int id;
  struct vector at;
#ifdef WEIGHT
  real weight;
#endif
  real mass, sums[2];
  char tag;
} particle;
static particle p[40];
static struct vector v[40], grid[9][40];
static struct { double a[9][40], b[40][9], scale; long count; } s;

void move(int n, int t, float dt) {
#pragma scop
  for (int k = 0; k < t; k++)
    for (int i = 0; i < n; i++) {
      p[i].at.x += dt * v[i].x;
      p[i].at.z = p[i].at.z * v[i].y + p[i].mass;
      p[i].sums[1] += p[i].sums[0] * k;
    }
#pragma endscop
}
void smooth(int n, int m, struct vector g[m][n], const struct vector *w) {
#pragma scop
  for (int i = 1; i < m; i++)
    for (int j = 1; j < n - 1; j++) {
      g[i][j].x = w[j].x * g[i - 1][j].y + g[i][j].z;
      g[i][j].y = w[j - 1].z + 0.5f * w[j + 1].x;
    }
#pragma endscop
}
void single(int n, int m) {
#pragma scop
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      s.a[i][j] = s.scale * s.b[j][i] + i;
      s.b[j][i] = 0;
    }
#pragma endscop
}
void beside(int n, double *q) {
#pragma scop
  for (int i = 0; i < n; i++) s.a[1][i] = s.scale * q[i] + s.a[0][i];
#pragma endscop
}
static float energy(const struct vector *w) { return w->x * w->x + w->y * w->y + w->z * w->z; }
double total(int n, const particle *restrict q) {
  double sum = 0;
#pragma scop
  for (int i = 0; i < n; i++) {
    const particle *own = &q[i];
    sum += own->mass * q[i].sums[0];
  }
#pragma endscop
  return sum;
}
void energies(int n, real *restrict e) {
#pragma scop
  for (int i = 0; i < n; i++) e[i] = energy(&v[i]);
#pragma endscop
}
void flat(int n, int m, struct vector *w) {
#pragma scop
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) w[i * n + j].y = w[i * n + j].x + j;
#pragma endscop
}
static void fill(void) {
  for (int i = 0; i < 40; i++) {
    p[i].id = -i;
    p[i].tag = (char)i;
    p[i].at.x = i % 7;
    p[i].at.y = i % 5;
    p[i].at.z = i % 3 + 0.5f;
    p[i].mass = i % 11;
    p[i].sums[0] = i % 4;
    p[i].sums[1] = 1;
    v[i].x = i % 13;
    v[i].y = i % 2;
    v[i].z = i % 6;
    for (int k = 0; k < 9; k++) {
      s.b[i][k] = (i * 9 + k) % 17;
      grid[k][i].x = (i + k) % 5;
      grid[k][i].y = (i * k) % 7;
      grid[k][i].z = (i - k) % 3;
    }
  }
  s.scale = 1.5;
  s.count = 77;
}
static void print(void) {
  double sum = 0;
  for (int i = 0; i < 40; i++) {
    sum = sum * 0.9 + p[i].id + p[i].tag + p[i].at.x - p[i].at.y + 2 * p[i].at.z + 3 * p[i].mass + p[i].sums[0] +
          5 * p[i].sums[1];
    for (int k = 0; k < 9; k++)
      sum += s.b[i][k] * k + s.a[k][i] * i + grid[k][i].x * 2 - grid[k][i].y + grid[k][i].z * (k - i);
  }
  printf("%.9e %ld\n", sum, s.count);
  PRINT((real *)v, 120);
}
int main(void) {
  fill();
  move(40, 3, 0.5f); print();
  move(7, 3, 0.5f); print();
  smooth(40, 9, grid, v); print();
  smooth(40, 2, grid, &grid[1][0]); print();
  smooth(20, 9, (struct vector(*)[20])grid, v); print();
  single(40, 9); print();
  single(3, 4); print();
  beside(40, s.b[2]); print();
  beside(40, s.a[1] - 1); print();
  beside(40, s.a[0] + 30); print();
  printf("%.9e\n", total(40, p));
  printf("%.9e\n", total(11, p));
  real e[40];
  energies(40, e); PRINT(e, 40);
  flat(40, 9, grid[0]); print();
  flat(8, 5, grid[0] + 7); print();
}
