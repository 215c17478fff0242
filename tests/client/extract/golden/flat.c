/* Matrices in one dimension behind plain pointers, and loops that are not the usual ones. */
enum { LOWER, UPPER, ALL };
int max(int a, int b);
void scale(int n, int m, int part, const float *from, float *to) {
  int i, j;
#pragma scop
  i = 0;
  while (i < n) {
    switch (part) {
      case LOWER:
        for (j = 0; j < max(i, 1); j++) to[i * m + j] = 2 * from[i * m + j];
        break;
      case UPPER:
      case ALL:
        for (j = 0;; j++) {
          if (j >= m) break;
          if (i & 1) to[i * m + j] = ({ float x = from[i * m + j]; x * x; });
        }
    }
    i++;
  }
#pragma endscop
}
