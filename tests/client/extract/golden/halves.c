/* _Float16: conversions where C rounds, none where values stay what they are, and no updates. */
static const _Float16 third = 0.333f16;
static inline _Float16 square(_Float16 x) { return x * x; }
static inline float twice(float x) { return 2 * x; }

void halves(int n, _Float16 scale, _Float16 x[n], _Float16 y[n], float f[n], double d[n], int k[n]) {
  _Float16 sum = 0, most = 0;
#pragma scop
  for (int i = 0; i < n; i++) {
    _Float16 once = x[i] * y[i];
    f[i] = once + x[i] * y[i];
    d[i] = square(x[i]) + twice(x[i] * y[i]) + third;
    k[i] = (int)(x[i] * scale) + (x[i] < y[i]);
    sum += x[i];
    sum = sum + 1.5f * f[i];
    if (x[i] > most) most = x[i];
    y[i] -= x[i] * 0.1f16 + i;
    f[i] += x[i] * y[i];
  }
#pragma endscop
  x[0] = sum + most;
}
