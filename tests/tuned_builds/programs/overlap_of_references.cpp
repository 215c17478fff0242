// build:
// build: -O2
// parameters: n=30
#include "checksum.h"
static double x[100];
static int counts[100];
void scale(const int n, double *to, const double &by, double &sum) {
#pragma scop
  for (int i = 0; i < n; i++) {
    to[i] = to[i] * by + 1;
    sum += to[i];
  }
#pragma endscop
}
void count(const int &n, int *to) {
#pragma scop
  for (int i = 0; i < n; i++) to[i] = 2 * to[i] + 5;
#pragma endscop
}
int main() {
  FILL(x, 100);
  FILL(counts, 40);
  double by = 0.5, sum = 0;
  scale(30, x, by, sum);
  scale(30, x, x[3], sum);
  scale(30, x, by, x[7]);
  scale(30, x, by, by);
  scale(29, x, by, sum);
  counts[2] = 30;
  count(30, counts);
  counts[2] = 30;
  count(counts[2], counts);
  counts[39] = 30;
  count(counts[39], counts);
  PRINT(x, 100);
  PRINT(counts, 40);
  printf("%.9e %.9e\n", sum, by);
}
