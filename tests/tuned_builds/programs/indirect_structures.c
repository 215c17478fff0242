// build:
// build: -O2 -DUNUSED=1
// build: -DFAR=long
// parameters: n=40
// Members of structures that data decide about, or that decide.
#include <stdlib.h>
#include "checksum.h"
#ifndef FAR
#define FAR int
#endif
struct cell { FAR from; int value; };
struct bin { float sum, weight; };
void gather(int n, struct cell c[n], int to[n]) {
#pragma scop
  for (int i = 0; i < n; i++) to[i] = c[c[i].from].value;
#pragma endscop
}
void histogram(int n, const struct cell *c, struct bin bins[restrict n]) {
#pragma scop
  for (int i = 0; i < n; i++) bins[c[i].value % n].sum += c[i].value;
#pragma endscop
}
int main(void) {
  struct cell *c = malloc(40 * sizeof *c);
  struct bin bins[40];
  int to[40];
  for (int i = 0; i < 40; i++) {
    c[i].from = i * 7 % 12;
    c[i].value = i * i;
    bins[i].sum = 0;
    bins[i].weight = i;
  }
  gather(40, c, to); PRINT(to, 40);
  gather(12, c, to); PRINT(to, 40);
  histogram(40, c, bins); PRINT((float *)bins, 80);
  histogram(12, c, bins); PRINT((float *)bins, 80);
  free(c);
}
