// build:
// build: -DN=50
// build: -DN=300
// build: -DREAL=double
// build: -DMORE
// parameters: n=1000
#include "checksum.h"
#ifndef N
#define N 100
#endif
#ifndef REAL
#define REAL float
#endif
struct particle {
  REAL at;
  int kind;
#ifdef MORE
  int more;
#endif
};
#define LENGTH(a) (sizeof(a) / sizeof((a)[0]))
static REAL values[N];
static struct particle all[N];
static int counts[1000], bytes[1000];
static int size_of_two(void) { return sizeof(struct particle[2]); }
/* The sizes of arrays and structures are lengths of loops, and numbers. */
static void count(void) {
#pragma scop
  for (int i = 0; i < (int)(sizeof(values) / sizeof(values[0])); i++) counts[i] += i + 1;
  for (unsigned long i = 0; i < LENGTH(all); i++) counts[i] += 3;
#pragma endscop
}
static void weigh(int n) {
#pragma scop
  for (int i = 0; i < n; i++) {
    bytes[i] = sizeof(struct particle) * i + sizeof *values + sizeof all[0] + size_of_two();
  }
#pragma endscop
}
int main(void) {
  count();
  count();
  weigh(1000);
  PRINT(counts, 1000);
  PRINT(bytes, 1000);
}
