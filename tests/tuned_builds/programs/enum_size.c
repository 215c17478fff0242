// build:
// build: -DWIDE
#include "checksum.h"
#ifdef WIDE
enum { N = 48 };
#else
enum { N = 31 };
#endif
static int a[N][N];
void f(void) {
#pragma scop
  for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) a[i][j] = a[i][j] * 3 - i + j;
#pragma endscop
}
int main(void) { FILL(&a[0][0], N * N); f(); PRINT(&a[0][0], N * N); }
