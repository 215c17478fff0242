/* The sum of n numbers in two kernels: each of BLOCKS blocks makes one of a part, VECTOR numbers a load, and one block
   adds those up. n is a multiple of VECTOR. With SHUFFLE threads of a warp add through registers, else all through
   shared memory. */
#if VECTOR == 4
typedef float4 Load;
__device__ float sum_of(float4 v) { return (v.x + v.y) + (v.z + v.w); }
#elif VECTOR == 2
typedef float2 Load;
__device__ float sum_of(float2 v) { return v.x + v.y; }
#else
typedef float Load;
__device__ float sum_of(float v) { return v; }
#endif

/* Of all threads of the block, in its first one. */
__device__ float sum_of_block(float value) {
  __shared__ float part[BLOCK];
#if SHUFFLE
  for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down_sync(0xffffffffu, value, distance);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x < 32) {
    value = threadIdx.x < BLOCK / 32 ? part[threadIdx.x] : 0.0f;
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down_sync(0xffffffffu, value, distance);
  }
  return value;
#else
  part[threadIdx.x] = value;
  __syncthreads();
  for (int half = BLOCK / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  return part[0];
#endif
}

extern "C" __global__ void __launch_bounds__(BLOCK) sum_parts(int n, const float *__restrict__ in, float *part) {
  const Load *const loads = reinterpret_cast<const Load *>(in);
  float sum = 0;
  for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n / VECTOR; i += BLOCKS * BLOCK) sum += sum_of(loads[i]);
  sum = sum_of_block(sum);
  if (threadIdx.x == 0) part[blockIdx.x] = sum;
}

extern "C" __global__ void __launch_bounds__(BLOCK) sum_all(const float *__restrict__ part, float *sum) {
  float value = 0;
  for (int i = threadIdx.x; i < BLOCKS; i += BLOCK) value += part[i];
  value = sum_of_block(value);
  if (threadIdx.x == 0) *sum = value;
}
