/* Loops that count down and in steps, an affine condition with both branches, iterators as values. */
#define SIZE 100
float grid[SIZE][SIZE];
void sweep(int n) {
#pragma scop
  for (int i = n - 2; i >= 1; i--)
    for (int j = 1; j < n - 1; j += 2)
      if (i < j || (i + j) % 4 == 0)
        grid[i][j] = 0.25f * (grid[i - 1][j] + grid[i + 1][j] + grid[i][j - 1] + grid[i][j + 1]);
      else
        grid[j][i] -= (float)(i - j) / n;
#pragma endscop
}
