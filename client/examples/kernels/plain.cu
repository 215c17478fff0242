/* The simplest form of some of the examples, one thread for each element: what tuned kernels are compared with. */
__constant__ float filter[81];

extern "C" __global__ void plain_product(int n, const float *A, const float *B, float *C) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || j >= n) return;
  float sum = 0;
  for (int k = 0; k < n; k++) sum += A[i * n + k] * B[k * n + j];
  C[i * n + j] = sum;
}

extern "C" __global__ void plain_convolution(int width, int height, const float *picture, float *result) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int v = 0; v < 9; v++)
    for (int u = 0; u < 9; u++) sum += filter[v * 9 + u] * picture[(y + v) * (width + 8) + x + u];
  result[y * width + x] = sum;
}

extern "C" __global__ void plain_accelerate(int n, const float4 *bodies, float4 *accelerations) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 sum = make_float4(0, 0, 0, 0);
  for (int k = 0; k < n; k++) {
    const float x = bodies[k].x - bodies[i].x, y = bodies[k].y - bodies[i].y, z = bodies[k].z - bodies[i].z;
    const float square = x * x + y * y + z * z + 0.01f;
    const float factor = bodies[k].w / (square * sqrtf(square));
    sum.x += x * factor;
    sum.y += y * factor;
    sum.z += z * factor;
  }
  accelerations[i] = sum;
}
