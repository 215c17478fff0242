/* C = A B of n x n matrices, stored by rows. A block of threads computes BLOCK_M x BLOCK_N elements of C, and each of
   its threads THREAD_M x THREAD_N of them, which lie THREADS_Y rows and THREADS_X columns apart: neighbours in a warp
   read and write neighbours in memory. Slabs of A and B that are BLOCK_K deep go through shared memory; PAD keeps the
   columns of A, which are stored as rows there, out of the same bank. */
#define THREADS_X (BLOCK_N / THREAD_N)
#define THREADS_Y (BLOCK_M / THREAD_M)
#define THREADS (THREADS_X * THREADS_Y)

extern "C" __global__ void __launch_bounds__(THREADS)
    matrix_product(int n, const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C) {
  constexpr int kUnroll = UNROLL;
  __shared__ float a[BLOCK_K][BLOCK_M + PAD];
  __shared__ float b[BLOCK_K][BLOCK_N];
  const int thread = threadIdx.y * THREADS_X + threadIdx.x;
  const int first_row = blockIdx.y * BLOCK_M, first_column = blockIdx.x * BLOCK_N;
  float sum[THREAD_M][THREAD_N] = {};

  for (int slab = 0; slab < n; slab += BLOCK_K) {
    /* What lies outside of the matrices is zero, and changes no sum. */
    for (int e = thread; e < BLOCK_M * BLOCK_K; e += THREADS) {
      const int i = e / BLOCK_K, k = e % BLOCK_K;
      a[k][i] = first_row + i < n && slab + k < n ? A[(first_row + i) * n + slab + k] : 0.0f;
    }
    for (int e = thread; e < BLOCK_K * BLOCK_N; e += THREADS) {
      const int k = e / BLOCK_N, j = e % BLOCK_N;
      b[k][j] = slab + k < n && first_column + j < n ? B[(slab + k) * n + first_column + j] : 0.0f;
    }
    __syncthreads();
#pragma unroll kUnroll
    for (int k = 0; k < BLOCK_K; k++) {
      float column[THREAD_M], row[THREAD_N];
#pragma unroll
      for (int i = 0; i < THREAD_M; i++) column[i] = a[k][threadIdx.y + i * THREADS_Y];
#pragma unroll
      for (int j = 0; j < THREAD_N; j++) row[j] = b[k][threadIdx.x + j * THREADS_X];
#pragma unroll
      for (int i = 0; i < THREAD_M; i++)
#pragma unroll
        for (int j = 0; j < THREAD_N; j++) sum[i][j] += column[i] * row[j];
    }
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < THREAD_M; i++)
#pragma unroll
    for (int j = 0; j < THREAD_N; j++) {
      const int row = first_row + threadIdx.y + i * THREADS_Y;
      const int column = first_column + threadIdx.x + j * THREADS_X;
      if (row < n && column < n) C[row * n + column] = sum[i][j];
    }
}
