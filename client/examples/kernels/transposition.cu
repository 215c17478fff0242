/* The transpose of a matrix, through squares of TILE x TILE elements in shared memory, so that it is read and written by
   rows. A block of TILE x ROWS threads moves one square. PAD puts the elements of a column into different banks;
   DIAGONAL has blocks that run at the same time begin in different rows and columns. */
extern "C" __global__ void __launch_bounds__(TILE *ROWS)
    transpose(int rows, int columns, const float *__restrict__ in, float *__restrict__ out) {
  __shared__ float square[TILE][TILE + PAD];
#if DIAGONAL
  const int block_x = (blockIdx.x + blockIdx.y) % gridDim.x;
#else
  const int block_x = blockIdx.x;
#endif
  const int first_column = block_x * TILE, first_row = blockIdx.y * TILE;
  for (int y = threadIdx.y; y < TILE; y += ROWS)
    if (first_row + y < rows && first_column + threadIdx.x < columns)
      square[y][threadIdx.x] = in[(first_row + y) * columns + first_column + threadIdx.x];
  __syncthreads();
  for (int y = threadIdx.y; y < TILE; y += ROWS)
    if (first_column + y < columns && first_row + threadIdx.x < rows)
      out[(first_column + y) * rows + first_row + threadIdx.x] = square[threadIdx.x][y];
}
