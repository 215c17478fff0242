/* The simplest form of some of the examples, on the host: what tuned kernels are compared with. */

void plain_transposition(int rows, int columns, const float *in, float *out) {
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) out[j * rows + i] = in[i * columns + j];
}

void plain_sum(int n, const float *in, float *sum) {
  double total = 0;
  for (int i = 0; i < n; i++) total += in[i];
  *sum = (float)total;
}

void plain_heat(int nx, int ny, int nz, float rate, const float *in, float *out) {
  for (int z = 0; z < nz; z++)
    for (int y = 0; y < ny; y++)
      for (int x = 0; x < nx; x++) {
        const int i = (z * ny + y) * nx + x;
        const int inside = x > 0 && x < nx - 1 && y > 0 && y < ny - 1 && z > 0 && z < nz - 1;
        out[i] = !inside ? in[i]
                         : in[i] + rate * (in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + in[i - nx * ny] +
                                           in[i + nx * ny] - 6.0f * in[i]);
      }
}
