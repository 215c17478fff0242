// build:
// build: -O2 -DUNUSED=1
// parameters: n=90
#include "checksum.h"
static int to[100], bins[16], least[16], w[100]; static unsigned marks[16]; static long most[16];
static double sums[16], table[4][16], x[100]; static float single[16], y[100];
static unsigned char small[16];
void f(int n) {
#pragma scop
  for (int b = 0; b < 16; b++) { bins[b] = 0; least[b] = 1000; }
  for (int i = 0; i < n; i++) bins[to[i]]++;
  for (int i = 0; i < n; i++) sums[to[i]] += x[i] * 0.25;
  for (int i = 0; i < n; i++) {
    table[w[i] % 4][to[i]] -= x[i];
    single[15 - to[i]] = single[15 - to[i]] + y[i];
  }
  for (int i = 0; i < n; i++) {
    if (w[i] < least[to[i]]) least[to[i]] = w[i];
    if (w[i] > 9) marks[to[i]] += 3u;
    most[to[i]] = most[to[i]] > (long)w[i] ? most[to[i]] : (long)w[i];
  }
  for (int i = 0; i < n; i++) { small[to[i]] += 7; sums[to[i]] *= 1.01; }
  for (int b = 0; b < 16; b++) x[b] = sums[b] + bins[b];
#pragma endscop
}
int main(void) {
  FILL(x, 100); FILL(y, 100); FILL(w, 100);
  for (int i = 0; i < 100; i++) to[i] = i * i % 16;
  f(90); f(30);
  PRINT(bins, 16); PRINT(sums, 16); PRINT(&table[0][0], 64); PRINT(single, 16); PRINT(least, 16);
  PRINT(marks, 16); PRINT(most, 16); PRINT(small, 16); PRINT(x, 100);
}
