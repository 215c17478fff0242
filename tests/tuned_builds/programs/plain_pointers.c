// build:
// build: -O2
// parameters: n=30,size=30
#include "checksum.h"
#include <stdlib.h>
int size;
void f(int n, float *a, const float *b, float *sum) {
#pragma scop
  for (int i = 1; i < n; i++) {
    a[i] = b[i - 1] + b[i];
    *sum += a[i];
  }
#pragma endscop
}
void g(int *to) {
#pragma scop
  for (int i = 0; i < size; i++) to[i] = size - 1;
#pragma endscop
}
void h(int n) {
  float *x = malloc(n * sizeof *x), *y = x;
  for (int i = 0; i < n; i++) x[i] = i;
#pragma scop
  for (int i = 1; i < n; i++) y[i] = x[i - 1] + x[i];
#pragma endscop
  PRINT(x, n);
  free(x);
}
static float v[100]; static int w[100];
int main(void) {
  FILL(v, 100);
  f(30, v, v + 50, v + 90);
  f(30, v, v, v + 90);
  f(30, v + 1, v, v + 90);
  f(30, v, v + 50, v + 7);
  f(30, v, v + 50, v + 60);
  size = 30;
  g(w);
  size = 1;
  g(&size);
  h(30);
  PRINT(v, 100); PRINT(w, 100); PRINT(&size, 1);
}
