/* A counter that enters with a constant, one that enters with any value, and a loop that ends inside of ifs. */
void counters(int n, unsigned m, double A[n], double B[m]) {
  int k = 0;
#pragma scop
  while (k < n) {
    if (k > 3) {
      if (k > 10) break;
      A[k] = 1;
    }
    k++;
  }
  while (m--) B[m] = 2;
#pragma endscop
}
