// Integers that wrap around, or are converted to fewer bits: what affine expressions of them are, and are not.
// build:
// build: -O2 -DCOUNT=long
// build: -DCOUNT=int
// parameters: n=70,count=200
#include <stdint.h>
#include "checksum.h"
#ifndef COUNT
#define COUNT unsigned
#endif
static int a[300], t[128], o[512];
static long w[70];

static void hashes(unsigned n) {
#pragma scop
  for (unsigned i = 0; i < n; i++) {
    unsigned h = i * 2654435761u;
    o[i] = (int)(h >> 3) + (int)(i * 200000000u / 7);
    if (h > 1000000000u) o[i] += 1000;
    if (i * 2654435761u < 2000000000u) a[i] += 2;
  }
#pragma endscop
}

static void widened(unsigned n) {
#pragma scop
  for (unsigned i = 0; i < n; i++) {
    w[i] = i * -1 + (long)(i * 100000000u);
    if (i * 100000000u > 4000000000L) w[i] += 5;
    w[i] -= (i << 26) / 3L;
  }
#pragma endscop
}

static void narrow(int count) {
#pragma scop
  for (uint8_t i = 0; i < count; i++) a[i] += i;
  for (uint8_t i = 0; i < count; i += 10) a[i + 40] *= 3;
#pragma endscop
}

static void conversions(COUNT n) {
#pragma scop
  for (COUNT i = 0; i + 1 < n; i++) {
    int k = (int)i + 1;
    o[k] += t[(int)i % 13] + t[(i + 5) % 60];
    o[i] -= (int)(2 * i) / 3;
  }
#pragma endscop
}

int main(void) {
  FILL(a, 300);
  FILL(t, 128);
  FILL(o, 512);
  hashes(70);
  hashes(33);
  widened(70);
  narrow(200);
  narrow(251);
  conversions(70);
  conversions(1);
  conversions(41);
  PRINT(a, 300);
  PRINT(o, 512);
  PRINT(w, 70);
}
