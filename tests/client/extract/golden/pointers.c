/* Pointers without a size, locals of the region, a data-dependent choice, calls. */
#include <math.h>
double largest;
void pointers(unsigned n, const double *restrict x, double *restrict y, int *restrict count) {
#pragma scop
  for (unsigned i = 0; i < n; i++) {
    double t, scaled = 2.0 * x[i + 1];
    t = x[i] > 0.0 ? sqrt(x[i]) : scaled;
    y[2 * i] = t;
    largest = largest < fabs(t) ? fabs(t) : largest;
    (*count)++;
  }
#pragma endscop
}
