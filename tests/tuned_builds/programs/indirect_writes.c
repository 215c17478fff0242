// build:
// build: -O2 -DUNUSED=1
// parameters: n=90
#include "checksum.h"
static int to[100], order[100], truth[16]; static double x[100], table[12][16], rows[12][16], scaled[12][16], big[200];
static float y[100]; static signed char small[16]; static _Bool flags[16];
void f(int n) {
#pragma scop
  for (int i = 0; i < n; i++) order[to[i]] = i;
  for (int i = 0; i < n; i++) if (x[i] > 9) big[to[i] + 16] = x[i] * y[i];
  for (int r = 0; r < 12; r++)
    for (int i = 0; i < n; i++) {
      table[r][to[i]] = table[r][to[i]] / 2 + x[i];
      if (y[i] > r) scaled[r][to[i]] *= 1.25;
      if (y[i] > r) rows[r][(to[i] + r) % 16] = rows[r][to[i]] - 1; else rows[r][0] = y[i];
    }
  for (int i = 0; i < n; i++) { small[to[i]] = i * 3; flags[to[i]] = y[i] - 3; }
  for (int i = 0; i < n; i++) truth[to[i]] = truth[15 - to[i]] + i;
#pragma endscop
}
int main(void) {
  FILL(x, 100); FILL(y, 100); FILL(order, 100); FILL(big, 200); FILL(&table[0][0], 192); FILL(&rows[0][0], 192);
  FILL(&scaled[0][0], 192);
  for (int i = 0; i < 100; i++) to[i] = i * i % 16;
  f(90);
  PRINT(truth, 16);
  f(30); f(0);
  PRINT(order, 100); PRINT(big, 200); PRINT(&table[0][0], 192); PRINT(&rows[0][0], 192); PRINT(&scaled[0][0], 192); PRINT(small, 16);
  PRINT(flags, 16); PRINT(truth, 16);
}
