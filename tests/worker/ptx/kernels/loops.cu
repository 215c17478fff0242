// Loops, branches and addresses as they come in kernels.
extern "C" {

// The last block is partly empty: n threads of all work.
__global__ void guarded(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}

// Iterations differ by at most one between threads.
__global__ void grid_stride(const float* in, float* out, int n) {
  float sum = 0;
#pragma unroll 1
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// The inner loop runs from 0 to n - 1 times.
__global__ void triangle(const float* in, float* out, int n) {
  float sum = 0;
#pragma unroll 1
  for (int i = 0; i < n; ++i)
#pragma unroll 1
    for (int j = 0; j < i; ++j) sum += in[i * n + j];
  out[threadIdx.x] = sum;
}

// The count is halved: no line.
__global__ void tree(float* data) {
  __shared__ float sums[256];
  const int t = threadIdx.x;
  sums[t] = data[blockIdx.x * 256 + t];
#pragma unroll 1
  for (int s = 128; s > 0; s >>= 1) {
    __syncthreads();
    if (t < s) sums[t] += sums[t + s];
  }
  if (t == 0) data[blockIdx.x] = sums[0];
}

// Unrolled by four, the rest in a loop of its own.
__global__ void remainder_loop(const float* in, float* out, int n) {
  float sum = 0;
#pragma unroll 4
  for (int i = 0; i < n; ++i) sum += in[i * 32 + threadIdx.x];
  out[threadIdx.x] = sum;
}

// Columns: each thread reads a row.
__global__ void columns(const float* in, float* out, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
#pragma unroll 1
  for (int j = 0; j < n; ++j) sum += in[row * n + j];
  out[row] = sum;
}

// Rows of 16 made of a block of 256 in one dimension.
__global__ void bits(const float* in, float* out, int n) {
  const int x = threadIdx.x & 15, y = threadIdx.x >> 4;
  out[y * n + x] = in[(y * n + x) * 2];
}

__global__ void gather(const int* index, const float* in, float* out) {
  out[threadIdx.x] = in[index[threadIdx.x]];
}

// Nobody knows how long the list is.
__global__ void list(const int* next, int* out) {
  int at = next[threadIdx.x], length = 0;
  while (at >= 0) {
    at = next[at];
    ++length;
  }
  out[threadIdx.x] = length;
}

// As before, but the user does.
__global__ void annotated(const int* next, int* out) {
  int at = next[threadIdx.x], length = 0;
  while (at >= 0) {
    asm volatile("// tune: trips 40");
    at = next[at];
    ++length;
  }
  out[threadIdx.x] = length;
}

// Two exits: the known one bounds the loop.
__global__ void search(const int* in, int* out, int n) {
  int i = 0;
#pragma unroll 1
  for (; i < n; ++i)
    if (in[i * 64 + threadIdx.x] == 7) break;
  out[threadIdx.x] = i;
}

// No load, no barrier: special functions are the slowest there is.
__global__ void functions(float* out, float x) {
  out[threadIdx.x] = __sinf(x) + __cosf(x + threadIdx.x);
}

}
