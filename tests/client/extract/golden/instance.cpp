template <typename T, int m>
static void scale(int n, T *a, const T &by) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) a[i * m + j] *= by;
#pragma endscop
}

void f(int n, double *a) { scale<double, 12>(n, a, 0.5); }
