/* Pointers that walk along the rows of a matrix, with gaps, and a triangle whose rows are packed. */
void walks(int n, int m, int gap, const float *from, float *to, float T[n * (n + 1) / 2]) {
#pragma scop
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++) {
      float x = *from++;
      *to++ = 2 * x;
    }
    to += gap;
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) T[i * (i + 1) / 2 + j] += 1;
#pragma endscop
}
