/* Hints to the compiler, commas and choices as statements. */
#define likely(x) __builtin_expect(!!(x), 1)
void hints(int n, double A[n], double B[n]) {
#pragma scop
  for (int i = 0; i < n; i++) {
    __builtin_prefetch(&A[i]);
    if (likely(i > 2)) A[i] = 1, B[i] += A[i];
    i < 5 ? (B[i] = 2) : (A[i] = 3);
  }
#pragma endscop
}
