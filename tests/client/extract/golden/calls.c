/* Functions that are values, one with a loop, one that is a statement, and one that is a bound. */
static int larger(int a, int b) { return a > b ? a : b; }

static double polynomial(double x, const double *c) {
  double r = 0;
  for (int k = 2; k >= 0; k--) r = r * x + c[k];
  return r;
}

static double least(double x, double y) {
  if (x < y) return x;
  return y;
}

static void add(double *row, int n, float by) {
  for (int j = 0; j < n; j++) row[j] += by;
}

void calls(int n, int m, double A[n][m], double x[n], const double c[3]) {
#pragma scop
  for (int i = 0; i < larger(n, 2); i++) {
    x[i] = least(polynomial(x[i], c), 1.5);
    add(A[i], m, x[i]);
  }
#pragma endscop
}
