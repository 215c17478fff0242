/* One step of the heat equation: each inner element of a grid of nx x ny x nz becomes a mean of itself and its six
   neighbours; the outer ones stay. A block of BLOCK_X x BLOCK_Y threads goes through PLANES planes of the grid, with the
   elements below and above in registers, and with SHARED the present plane in shared memory. */
extern "C" __global__ void __launch_bounds__(BLOCK_X *BLOCK_Y)
    heat(int nx, int ny, int nz, float rate, const float *__restrict__ in, float *__restrict__ out) {
#if SHARED
  __shared__ float plane[BLOCK_Y + 2][BLOCK_X + 2];
#endif
  const int x = blockIdx.x * BLOCK_X + threadIdx.x, y = blockIdx.y * BLOCK_Y + threadIdx.y;
  const bool in_grid = x < nx && y < ny;
  const bool inside = x > 0 && x < nx - 1 && y > 0 && y < ny - 1;
  const int area = nx * ny, column = y * nx + x;
  const int first = blockIdx.z * PLANES, end = min(first + PLANES, nz);
  float below = in_grid && first > 0 ? in[(first - 1) * area + column] : 0.0f;
  float here = in_grid ? in[first * area + column] : 0.0f;

  for (int z = first; z < end; z++) {
    const int place = z * area + column;
    const float above = in_grid && z + 1 < nz ? in[place + area] : 0.0f;
#if SHARED
    const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    plane[ty][tx] = here;
    if (inside && threadIdx.x == 0) plane[ty][0] = in[place - 1];
    if (inside && threadIdx.x == BLOCK_X - 1) plane[ty][BLOCK_X + 1] = in[place + 1];
    if (inside && threadIdx.y == 0) plane[0][tx] = in[place - nx];
    if (inside && threadIdx.y == BLOCK_Y - 1) plane[BLOCK_Y + 1][tx] = in[place + nx];
    __syncthreads();
#define BESIDE(dx, dy) plane[ty + (dy)][tx + (dx)]
#else
#define BESIDE(dx, dy) in[place + (dy) * nx + (dx)]
#endif
    if (inside && z > 0 && z < nz - 1) {
      const float others = BESIDE(-1, 0) + BESIDE(1, 0) + BESIDE(0, -1) + BESIDE(0, 1) + below + above;
      out[place] = here + rate * (others - 6.0f * here);
    } else if (in_grid) {
      out[place] = here;
    }
#if SHARED
    __syncthreads();
#endif
    below = here;
    here = above;
  }
}
