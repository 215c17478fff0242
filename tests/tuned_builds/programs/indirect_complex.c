// Complex numbers at places that data decide.
// build:
// build: -O3
// parameters: n=40
#include <complex.h>
#include "checksum.h"

static float complex bins[16], z[40];
static double complex sums[16];
static int k[40];

static void bin(int n) {
#pragma scop
  for (int i = 0; i < n; i++) {
    bins[k[i] % 16] += z[i] * (0.5f + I);
    sums[k[i] % 16] -= 2;
    if (k[i] > 4) sums[k[i] % 7] += conj(z[39 - i]);
  }
  for (int i = 0; i < n; i++) z[i] = bins[k[i] % 16] / 3;
#pragma endscop
}

static void show(void) {
  PRINT((float *)bins, 32); PRINT((double *)sums, 32); PRINT((float *)z, 80);
}

int main(void) {
  FILL(k, 40);
  for (int i = 0; i < 40; i++) z[i] = i * 0.25f - 0.5f * I;
  bin(40);
  show();
  bin(33);
  show();
}
