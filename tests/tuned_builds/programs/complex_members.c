// Complex members of structures, alone, in arrays and beside others.
// build:
// build: -O3
// build: -DLABEL=long
// given sizes: it writes members of structures of which others have other types
// parameters: n=40,m=12
#include <complex.h>
#include "checksum.h"
#ifndef LABEL
#define LABEL int
#endif
struct wave { float complex z, past; };
struct mode { double complex amplitude[3]; LABEL label; double phase; double complex sum; };
struct bin { float re, im; };
static struct wave waves[40];
static struct mode modes[12];
static struct bin bins[40];
static struct { double complex total, factor, row[40]; int count, last; double spare; } s;

static void turn(int n, struct wave *w, float complex by) {
#pragma scop
  for (int i = 1; i < n; i++) {
    w[i].past = w[i].z;
    w[i].z = by * w[i].z + 0.25f * conjf(w[i - 1].past);
  }
#pragma endscop
}
static void project(int n, int m) {
#pragma scop
  for (int k = 0; k < m; k++) {
    modes[k].sum = 0;
    for (int i = 0; i < n; i++) modes[k].sum += waves[i].z * (modes[k].label + i);
    modes[k].amplitude[1] = modes[k].amplitude[0] * modes[k].phase - modes[k].sum / 64;
    modes[k].phase = cabs(modes[k].amplitude[2]);
    modes[k].label += 2;
  }
#pragma endscop
}
static void parts(int n) {
#pragma scop
  for (int i = 0; i < n; i++) {
    bins[i].re += crealf(waves[i].z);
    bins[i].im -= cimagf(waves[i].z) * bins[i].re;
  }
#pragma endscop
}
static void single(int n) {
#pragma scop
  for (int i = 0; i < n; i++) {
    s.row[i] = s.factor * s.row[i] + s.last;
    s.total += s.row[i];
  }
#pragma endscop
}
static void show_sum(const char *name, const double *p, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += (i % 13 + 1) * p[i];
  printf("%s %.4e\n", name, sum);
}
static void show(void) {
  double sums[8] = {0};
  for (int i = 0; i < 40; i++) {
    sums[0] += crealf(waves[i].z) * i + cimagf(waves[i].past);
    sums[1] += cimagf(waves[i].z) * i - crealf(waves[i].past);
    sums[2] += bins[i].re * (i + 1);
    sums[3] += bins[i].im * (i + 1);
  }
  for (int k = 0; k < 12; k++) {
    for (int c = 0; c < 3; c++) sums[4] += creal(modes[k].amplitude[c]) * (k + c) - cimag(modes[k].amplitude[c]) * c;
    sums[5] += creal(modes[k].sum) - k * cimag(modes[k].sum) + modes[k].phase;
    sums[6] += modes[k].label * (k + 1);
  }
  for (int i = 0; i < 8; i++) printf("%.4e ", sums[i]);
  printf("%.4e %.4e %d\n", creal(s.total), cimag(s.total), s.count);
  show_sum("row", (double *)s.row, 80);
}
int main(void) {
  for (int i = 0; i < 40; i++) {
    waves[i].z = i * 0.25f - 2 + (i % 7) * I;
    waves[i].past = i % 3 - i % 5 * I;
    bins[i] = (struct bin){i % 4, i % 6};
    s.row[i] = i % 9 - 0.5 * i * I;
  }
  for (int k = 0; k < 12; k++)
    modes[k] = (struct mode){{k, 1 - k * I, 3 + 4 * I}, k % 5, 0.5 * k, I};
  s.factor = 0.5 + 0.25 * I;
  s.count = 7;
  s.last = 2;
  turn(40, waves, 0.5f + 0.5f * I); show();
  turn(13, waves, I); show();
  project(40, 12); show();
  project(17, 5); show();
  parts(40); show();
  parts(9); show();
  single(40); show();
  single(8); show();
}
