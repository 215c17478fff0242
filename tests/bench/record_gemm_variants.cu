// Run times of the parts of a product of n x n matrices, of a GPU's variants and a host's threads:
//   nvcc -O3 -arch=native -split-compile=0 -Xcompiler "-O3 -march=native -fopenmp" record_gemm_variants.cu
//   ./a.out 2000 > gemm_times/gemm_times_2000.txt
#include <omp.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

// A block has T threads side by side, each with B rows of C; A's tile goes through shared memory where S says
// so.
template <int T, int B, bool S, bool UT, bool US>
__global__ void gemm(const float* a, const float* b, float* c, int rows, int columns, int n) {
  __shared__ float tile[B][32];
  const int j = blockIdx.x * T + threadIdx.x, i0 = blockIdx.y * B;
  float sum[B];
#pragma unroll
  for (int r = 0; r < B; ++r) sum[r] = 0;
  for (int k0 = 0; k0 < n; k0 += 32) {
    if (S) {
      __syncthreads();
#pragma unroll(US ? 8 : 1)
      for (int e = threadIdx.x; e < B * 32; e += T)
        tile[e / 32][e % 32] = i0 + e / 32 < rows && k0 + e % 32 < n ? a[(i0 + e / 32) * n + k0 + e % 32] : 0;
      __syncthreads();
    }
    for (int k = k0; k < min(k0 + 32, n) && j < columns; ++k) {
      const float factor = b[(size_t)k * columns + j];
#pragma unroll(UT ? B : 1)
      for (int r = 0; r < B; ++r)
        if (S || i0 + r < rows) sum[r] += (S ? tile[r][k - k0] : a[(i0 + r) * n + k]) * factor;
    }
  }
  for (int r = 0; r < B; ++r)
    if (j < columns && i0 + r < rows) c[(size_t)(i0 + r) * columns + j] = sum[r];
}

int n;
float *host, *da, *db, *dc;

template <typename F>
float Best(int runs, F f) {
  float best = 1e9;
  for (int i = 0; i < runs; ++i) {
    const double start = omp_get_wtime();
    f();
    best = std::min<float>(best, omp_get_wtime() - start);
  }
  return best * 1e6;
}
// Microseconds of each part: rows, then columns, in quarters.
template <typename F>
void Parts(F f) {
  for (int r = 1; r < 5; ++r)
    for (int c = 1; c < 5; ++c) printf(" %.4g", f(n * r / 4, n * c / 4));
  puts("");
  fflush(stdout);
}
template <int T, int B, bool S, bool UT, bool US>
void Gpu() {
  printf("gpu %d %d %d %d %d", T, B, S, UT, US);
  Parts([](int r, int c) {
    return Best(4, [&] {
      gemm<T, B, S, UT, US><<<dim3((c + T - 1) / T, (r + B - 1) / B), T>>>(da, db, dc, r, c, n);
      if (cudaDeviceSynchronize()) abort();
    });
  });
}
template <int T, int B>
void Switches() {
  Gpu<T, B, 0, 0, 0>(), Gpu<T, B, 0, 1, 0>(), Gpu<T, B, 1, 0, 0>();
  Gpu<T, B, 1, 0, 1>(), Gpu<T, B, 1, 1, 0>(), Gpu<T, B, 1, 1, 1>();
}
template <int T>
void Heights() {
  Switches<T, 1>(), Switches<T, 2>(), Switches<T, 4>(), Switches<T, 8>(), Switches<T, 16>(),
      Switches<T, 32>();
}

int main(int, char** argv) {
  n = atoi(argv[1]);
  const size_t bytes = sizeof(float) * n * n;
  cudaMallocHost(&host, 3 * bytes);
  for (size_t i = 0; i < 3 * bytes / 4; ++i) host[i] = i % 7;
  cudaMalloc(&da, bytes), cudaMalloc(&db, bytes), cudaMalloc(&dc, bytes);
  cudaMemcpy(da, host, bytes, cudaMemcpyDefault), cudaMemcpy(db, host, bytes, cudaMemcpyDefault);
  cudaDeviceProp device;
  cudaGetDeviceProperties(&device, 0);
  printf("# %s; host with %d threads; n = %d\ncopies", device.name, omp_get_max_threads(), n);
  Parts([&](int r, int c) {
    return Best(5, [&] {
      cudaMemcpyAsync(da, host, r * (bytes / n), cudaMemcpyDefault);
      cudaMemcpy2DAsync(db, c * 4, host + n * n, n * 4, c * 4, n, cudaMemcpyDefault);
      cudaMemcpy2DAsync(host + 2 * (bytes / 4), n * 4, dc, c * 4, c * 4, r, cudaMemcpyDefault);
      cudaDeviceSynchronize();
    });
  });
  for (int threads = 1; threads <= std::min(16, omp_get_max_threads()); ++threads) {
    printf("cpu %d", threads);
    const float *a = host, *b = host + bytes / 4;
    float* result = host + 2 * (bytes / 4);
    Parts([&](int rows, int columns) {
      return Best(2, [&] {
#pragma omp parallel for num_threads(threads)
        for (int i = 0; i < rows; ++i) {
          for (int j = 0; j < columns; ++j) result[i * n + j] = 0;
          for (int k = 0; k < n; ++k)
            for (int j = 0; j < columns; ++j) result[i * n + j] += a[i * n + k] * b[k * n + j];
        }
      });
    });
  }
  Heights<32>(), Heights<64>(), Heights<96>(), Heights<128>();
  Heights<160>(), Heights<192>(), Heights<224>(), Heights<256>();
}
