/* The accelerations that n bodies cause to each other by their masses: x, y, z and mass of each, softened so that no two
   are too close. Each thread computes those of BODIES bodies. With SHARED a block brings TILES * BLOCK bodies at a time
   into shared memory, which all its threads then read at once. RSQRT takes the device's own inverse of a root. */
__device__ float inverse_root(float square) {
#if RSQRT
  return rsqrtf(square);
#else
  return 1.0f / sqrtf(square);
#endif
}

/* Adds what `other` does to a body at `place`. */
__device__ void pull(const float4 &place, const float4 &other, float4 &acceleration) {
  const float softening = 0.01f;
  const float x = other.x - place.x, y = other.y - place.y, z = other.z - place.z;
  const float inverse = inverse_root(x * x + y * y + z * z + softening);
  const float factor = other.w * inverse * inverse * inverse;
  acceleration.x += x * factor;
  acceleration.y += y * factor;
  acceleration.z += z * factor;
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    accelerate(int n, const float4 *__restrict__ bodies, float4 *__restrict__ accelerations) {
  constexpr int kUnroll = UNROLL;
  const int first = blockIdx.x * BLOCK * BODIES + threadIdx.x;
  const float4 nothing = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  float4 place[BODIES], acceleration[BODIES];
#pragma unroll
  for (int b = 0; b < BODIES; b++) {
    place[b] = first + b * BLOCK < n ? bodies[first + b * BLOCK] : nothing;
    acceleration[b] = nothing;
  }

#if SHARED
  __shared__ float4 tile[TILES * BLOCK];
  for (int begin = 0; begin < n; begin += TILES * BLOCK) {
    for (int k = threadIdx.x; k < TILES * BLOCK; k += BLOCK) tile[k] = begin + k < n ? bodies[begin + k] : nothing;
    __syncthreads();
#pragma unroll kUnroll
    for (int k = 0; k < TILES * BLOCK; k++) {
      const float4 other = tile[k];
#pragma unroll
      for (int b = 0; b < BODIES; b++) pull(place[b], other, acceleration[b]);
    }
    __syncthreads();
  }
#else
#pragma unroll kUnroll
  for (int k = 0; k < n; k++) {
    const float4 other = bodies[k];
#pragma unroll
    for (int b = 0; b < BODIES; b++) pull(place[b], other, acceleration[b]);
  }
#endif

#pragma unroll
  for (int b = 0; b < BODIES; b++)
    if (first + b * BLOCK < n) accelerations[first + b * BLOCK] = acceleration[b];
}
