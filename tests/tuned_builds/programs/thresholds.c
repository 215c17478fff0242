// build:
// build: -O2 -DUNUSED=1
// parameters: n=50
#include "checksum.h"
static double a[50], b[50], largest[1]; static int k[50], place[1], counts[3];
void f(int n, int least) {
#pragma scop
  for (int i = 0; i < n; i++) {
    if (a[i] < 3) continue;
    b[i] = a[i] / 2;
    if (k[i] % 3 == least) { counts[0]++; k[i] = -k[i]; }
    else if (i > 0 && k[i - 1] > 4) { double half = b[i]; counts[1] += i; b[i] = half * half; }
    else counts[2] -= k[i];
  }
  for (int i = 0; i < n; i++)
    if (b[i] > largest[0]) { largest[0] = b[i]; place[0] = i; }
#pragma endscop
}
int main(void) {
  FILL(a, 50); FILL(b, 50); FILL(k, 50); f(50, 1); f(20, 2);
  PRINT(a, 50); PRINT(b, 50); PRINT(k, 50); PRINT(counts, 3); PRINT(largest, 1); PRINT(place, 1);
}
