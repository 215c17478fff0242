/* Complex numbers: conversions that C makes unasked are written out, real operands stay real. */
#include <complex.h>
static const float complex turn = 0.5f - 2 * I;
static inline double complex square(double complex z) { return z * z; }

void complex_numbers(int n, float complex scale, float complex x[n], float complex y[n], double complex z[n],
                     float f[n], double d[n], int k[n]) {
  float complex sum = 0, product = 1;
#pragma scop
  for (int i = 0; i < n; i++) {
    float complex once = x[i] * conjf(y[i]);
    sum += once * turn;
    sum -= f[i];
    product *= 1 + I * f[i];
    z[i] = z[i] * x[i] + d[i] - 1.5 * square(y[i]);
    x[i] += z[i];
    f[i] += x[i] * scale;
    d[i] = creal(z[i]) * cimagf(x[i]) + cabs(z[i]) + __real__ y[i];
    k[i] = x[i] == y[i] || !z[i];
    if (k[i] > 0) y[i] = d[i];
    if (k[i] > 2) sum += y[i];
    x[i] = k[i] ? y[i] : i;
    y[i]++;
  }
#pragma endscop
  x[0] = sum + product;
}
