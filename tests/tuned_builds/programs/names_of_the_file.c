// build:
// build: -O2 -DUNUSED=1
// parameters: n=30
#include "checksum.h"
static double stream[30], workspace[30], COUNT[30]; static float handle, BYTES;
void f(int n, double PREFIX) {
#pragma scop
  for (int i = 0; i < n; i++) { stream[i] = workspace[i] * PREFIX + handle; COUNT[i] += stream[i] + BYTES; }
#pragma endscop
}
int main(void) { FILL(stream, 30); FILL(workspace, 30); FILL(COUNT, 30); handle = 3; BYTES = 2; f(30, 2); f(4, 3); PRINT(stream, 30); PRINT(COUNT, 30); }
