/* Loops that test at their end, steps that the file tells, numbers that advance in loops inside of loops. */
static void sample(int n, int step, const float *restrict from, float *restrict to) {
  int i, j, k;
#pragma scop
  i = 0;
  k = 0;
  do {
    for (j = 0; j < 4; j++, k++) to[k] = from[i ^ 1] + j;
    i += step;
  } while (i < n);
  to[i] = 0;
#pragma endscop
}
void twice(const float *from, float *to) { sample(100, 2, from, to); }
