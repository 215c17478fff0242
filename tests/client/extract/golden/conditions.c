/* Conditions on data: a store, a largest value, a condition that the branch changes, a part that is affine. */
double largest;
int position;
void conditions(int n, const double x[n], double y[n], int k[n], int threshold) {
#pragma scop
  for (int i = 0; i < n; i++) {
    if (x[i] > 0.0) y[i] = x[i];
    if (x[i] > largest) largest = x[i];
    if (k[i] > threshold) {
      k[i] = 0;
      position += i;
    }
    if (i > 0 && y[i - 1] < 1.0)
      y[i] = 2.0;
    else
      y[i] = k[i];
  }
#pragma endscop
}
