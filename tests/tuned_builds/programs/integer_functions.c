// build:
// build: -O2 -DUNUSED=1
// parameters: n=40
// Functions that are declared alone, by the names that polyhedral tools give them; others define them.
#include <stdlib.h>
#include "checksum.h"
int min(int a, int b) __asm__("smaller_of_two");
int max(int a, int b) __asm__("larger_of_two");
int floord(int n, int d) __asm__("quotient_below");
int ceild(int n, int d) __asm__("quotient_above");
static int a[64], b[64], c[64];
void f(int n) {
#pragma scop
  for (int i = max(0, n - 50); i < min(n, 60); i++)
    for (int j = ceild(i - 5, 3); j <= floord(i, 2); j++) a[max(j, 2)] += b[i] * j;
  for (int i = 0; i < n; i++) {
    b[abs(i - 7)] += i & 3;
    if (i & 1) b[(i >> 1) + (i & -8) / 8] -= 2;
    c[i] = max(c[i], a[i] - b[i]);
    c[i] = min(a[i], 5) + c[i];
  }
#pragma endscop
}
int main(void) {
  FILL(a, 64); FILL(b, 64); FILL(c, 64);
  f(40); f(25); f(55);
  PRINT(a, 64); PRINT(b, 64); PRINT(c, 64);
}
int smaller_of_two(int x, int y) { return x < y ? x : y; }
int larger_of_two(int x, int y) { return x > y ? x : y; }
int quotient_below(int x, int y) { return x >= 0 ? x / y : -((-x + y - 1) / y); }
int quotient_above(int x, int y) { return x > 0 ? (x + y - 1) / y : -(-x / y); }
