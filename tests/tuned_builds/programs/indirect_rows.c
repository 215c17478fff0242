// build:
// build: -O2 -DUNUSED=1
// parameters: n=90
#include "checksum.h"
static double scaled[12][16], added[12][16], y[100]; static short counts[12][16]; static int to[100];
/* Rows are about others at the same time, also where the condition does not hold. */
void f(int n) {
#pragma scop
  for (int r = 0; r < 12; r++)
    for (int i = 0; i < n; i++)
      if (y[i] > r + 3) scaled[r][to[i]] *= 1.25;
  for (int r = 0; r < 12; r++)
    for (int i = 0; i < n; i++)
      if (y[i] < 2 * r) {
        added[r][to[i]] += y[i];
        counts[11 - r][to[i]]++;
      }
#pragma endscop
}
int main(void) {
  FILL(y, 100); FILL(&scaled[0][0], 192);
  for (int i = 0; i < 100; i++) to[i] = i * i % 16;
  f(90); f(30);
  PRINT(&scaled[0][0], 192); PRINT(&added[0][0], 192); PRINT(&counts[0][0], 192);
}
