// Figure 2 of Ryoo et al., Program optimization carving for GPU computing: C = A * B, square matrices of `width`
// columns, tiles of TILE x TILE elements.
#define TILE 16
#define ARGUMENTS const float *A, const float *B, float *C, int width
#define TX threadIdx.x
#define TY threadIdx.y

extern "C" {

// (a) As it is first written.
__global__ void base(ARGUMENTS) {
  __shared__ float As[TILE][TILE], Bs[TILE][TILE];
  int a = width * (TILE * blockIdx.y + TY) + TX, b = TILE * blockIdx.x + width * TY + TX;
  const int c = width * (TILE * blockIdx.y + TY) + TILE * blockIdx.x + TX, end = a + width;
  float sum = 0;
  for (; a < end;) {
    As[TY][TX] = A[a];
    Bs[TY][TX] = B[b];
    a += TILE;
    b += TILE * width;
    __syncthreads();
#pragma unroll 1
    for (int i = 0; i < TILE; i++) sum += As[TY][i] * Bs[i][TX];
    __syncthreads();
  }
  C[c] = sum;
}

// (b) The inner loop is unrolled.
__global__ void unrolled(ARGUMENTS) {
  __shared__ float As[TILE][TILE], Bs[TILE][TILE];
  int a = width * (TILE * blockIdx.y + TY) + TX, b = TILE * blockIdx.x + width * TY + TX;
  const int c = width * (TILE * blockIdx.y + TY) + TILE * blockIdx.x + TX, end = a + width;
  float sum = 0;
  for (; a < end;) {
    As[TY][TX] = A[a];
    Bs[TY][TX] = B[b];
    a += TILE;
    b += TILE * width;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < TILE; i++) sum += As[TY][i] * Bs[i][TX];
    __syncthreads();
  }
  C[c] = sum;
}

// (c) With the next elements on their way, unrolled.
__global__ void prefetched(ARGUMENTS) {
  __shared__ float As[TILE][TILE], Bs[TILE][TILE];
  int a = width * (TILE * blockIdx.y + TY) + TX, b = TILE * blockIdx.x + width * TY + TX;
  const int c = width * (TILE * blockIdx.y + TY) + TILE * blockIdx.x + TX, end = a + width;
  float next_a = A[a], next_b = B[b], sum = 0;
  for (; a < end;) {
    As[TY][TX] = next_a;
    Bs[TY][TX] = next_b;
    a += TILE;
    b += TILE * width;
    __syncthreads();
    next_a = A[a];
    next_b = B[b];
#pragma unroll
    for (int i = 0; i < TILE; i++) sum += As[TY][i] * Bs[i][TX];
    __syncthreads();
  }
  C[c] = sum;
}

// (d) Tiles of B that are two and four times as wide, unrolled.
#define RECTANGULAR(NAME, WIDE)                                                                             \
  __global__ void NAME(ARGUMENTS) {                                                                         \
    __shared__ float As[TILE][TILE], Bs[TILE][WIDE * TILE];                                                 \
    int a = width * (TILE * blockIdx.y + TY) + TX, b = WIDE * TILE * blockIdx.x + width * TY + TX;          \
    const int c = width * (TILE * blockIdx.y + TY) + WIDE * TILE * blockIdx.x + TX, end = a + width;        \
    float sum[WIDE] = {};                                                                                   \
    for (; a < end;) {                                                                                      \
      As[TY][TX] = A[a];                                                                                    \
      _Pragma("unroll") for (int w = 0; w < WIDE; ++w) Bs[TY][TX + w * TILE] = B[b + w * TILE];             \
      a += TILE;                                                                                            \
      b += TILE * width;                                                                                    \
      __syncthreads();                                                                                      \
      _Pragma("unroll") for (int i = 0; i < TILE; i++) {                                                    \
        const float term = As[TY][i];                                                                       \
        _Pragma("unroll") for (int w = 0; w < WIDE; ++w) sum[w] += term * Bs[i][TX + w * TILE];             \
      }                                                                                                     \
      __syncthreads();                                                                                      \
    }                                                                                                       \
    _Pragma("unroll") for (int w = 0; w < WIDE; ++w) C[c + w * TILE] = sum[w];                              \
  }
RECTANGULAR(rectangular_2, 2)
RECTANGULAR(rectangular_4, 4)

// Tiles of 8 x 8, unrolled: rows too short to be coalesced on a GeForce 8800.
__global__ void small_tiles(ARGUMENTS) {
  __shared__ float As[8][8], Bs[8][8];
  int a = width * (8 * blockIdx.y + TY) + TX, b = 8 * blockIdx.x + width * TY + TX;
  const int c = width * (8 * blockIdx.y + TY) + 8 * blockIdx.x + TX, end = a + width;
  float sum = 0;
  for (; a < end;) {
    As[TY][TX] = A[a];
    Bs[TY][TX] = B[b];
    a += 8;
    b += 8 * width;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 8; i++) sum += As[TY][i] * Bs[i][TX];
    __syncthreads();
  }
  C[c] = sum;
}

}
