// build:
// build: -O2
// parameters: n=10
#include "checksum.h"
/* What is written are no whole rows, and what lies between keeps its values. */
void g(int n, double (*c)[4]) {
#pragma scop
  for (int i = 1; i < n; i++) c[i][0] += c[i - 1][0] * 0.5;
  for (int i = 0; i < n; i++) c[i][1] += c[i][0];
#pragma endscop
}
int main(void) {
  double c[10][4];
  FILL(&c[0][0], 40);
  g(10, c);
  PRINT(&c[0][0], 40);
  return 0;
}
