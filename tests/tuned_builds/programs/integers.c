// build:
// build: -O2 -DUNUSED=1
// parameters: n=50
#include "checksum.h"
static int a[50]; static unsigned char u[50]; static short h[50]; static long l[50]; static unsigned m;
void f(int n) {
#pragma scop
  for (int i = 0; i < n; i++) { u[i] = u[i] + a[i]; h[i] = h[i] * 3 - u[i]; l[i] += (long)a[i] * h[i]; m ^= a[i]; }
#pragma endscop
}
int main(void) { FILL(a, 50); FILL(u, 50); FILL(h, 50); FILL(l, 50); f(50); f(21); PRINT(u, 50); PRINT(h, 50); PRINT(l, 50); PRINT(&m, 1); }
