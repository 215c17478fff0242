/* A picture folded with a filter of kWidth x kWidth weights, which all threads of a warp read at once: constant memory.
   The picture has a border of kRadius on each side, the result has none. A block of kBlockX x kBlockY threads computes
   kTileX x kTileY elements with each of them, kBlockX columns and kBlockY rows apart; with kShared it first brings all
   that it reads into shared memory. */
constexpr int kRadius = 4;
constexpr int kWidth = 2 * kRadius + 1;

__constant__ float filter[kWidth * kWidth];

template <int kBlockX, int kBlockY, int kTileX, int kTileY, int kUnroll, bool kShared>
__global__ void __launch_bounds__(kBlockX *kBlockY)
    convolve(int width, int height, const float *__restrict__ picture, float *__restrict__ result) {
  extern __shared__ float patch[];
  constexpr int kPatchX = kBlockX * kTileX + 2 * kRadius, kPatchY = kBlockY * kTileY + 2 * kRadius;
  const int first_x = blockIdx.x * kBlockX * kTileX, first_y = blockIdx.y * kBlockY * kTileY;
  const int pitch = width + 2 * kRadius, last_x = pitch - 1, last_y = height + 2 * kRadius - 1;

  if (kShared) {
    for (int y = threadIdx.y; y < kPatchY; y += kBlockY)
      for (int x = threadIdx.x; x < kPatchX; x += kBlockX)
        patch[y * kPatchX + x] = picture[min(first_y + y, last_y) * pitch + min(first_x + x, last_x)];
    __syncthreads();
  }

  float sum[kTileY][kTileX] = {};
#pragma unroll kUnroll
  for (int v = 0; v < kWidth; v++)
#pragma unroll kUnroll
    for (int u = 0; u < kWidth; u++) {
      const float weight = filter[v * kWidth + u];
#pragma unroll
      for (int ty = 0; ty < kTileY; ty++)
#pragma unroll
        for (int tx = 0; tx < kTileX; tx++) {
          const int y = threadIdx.y + ty * kBlockY + v, x = threadIdx.x + tx * kBlockX + u;
          sum[ty][tx] += weight * (kShared ? patch[y * kPatchX + x]
                                           : picture[min(first_y + y, last_y) * pitch + min(first_x + x, last_x)]);
        }
    }

#pragma unroll
  for (int ty = 0; ty < kTileY; ty++)
#pragma unroll
    for (int tx = 0; tx < kTileX; tx++) {
      const int y = first_y + threadIdx.y + ty * kBlockY, x = first_x + threadIdx.x + tx * kBlockX;
      if (y < height && x < width) result[y * width + x] = sum[ty][tx];
    }
}
